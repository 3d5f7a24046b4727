"""Personal data in the text that is kept: where it is, and what replaces it."""
