"""Methods that find duplicate documents: one small module per paper, with one interface."""
