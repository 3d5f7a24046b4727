"""Measures the language kit on third-party data."""
