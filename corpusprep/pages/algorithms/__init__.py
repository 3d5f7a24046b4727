"""Boilerplate algorithms: they get segmented pages and give one class per block (algorithms/interface.py)."""
