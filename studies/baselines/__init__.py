"""Cleaners that old papers compare with, as plugins of corpusprep."""
