"""Web pages: parsing, textual blocks, features, metadata."""
