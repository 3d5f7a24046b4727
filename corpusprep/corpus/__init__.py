"""The corpus as users get it: its documents, and one writer per output format."""
