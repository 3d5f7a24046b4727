"""Boilerplate removal: a module or folder per family of cleaners, with its model and its training."""
