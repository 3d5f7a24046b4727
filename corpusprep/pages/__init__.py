"""Web pages: parsing, textual blocks, boilerplate algorithms."""
