"""Methods that find duplicate documents, each a small and exact reading of its paper behind one interface."""
