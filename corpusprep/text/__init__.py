"""Tokenisers, word breaking and the vertical format."""
