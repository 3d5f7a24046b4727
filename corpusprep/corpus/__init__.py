"""The corpus as users get it: its documents, and the output formats they are written in."""
