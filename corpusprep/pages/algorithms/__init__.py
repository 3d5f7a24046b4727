"""Boilerplate algorithms: a segmented page in, a class a block out (algorithms/interface.py)."""
