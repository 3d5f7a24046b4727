"""Measures tokens and sentences on treebanks of Universal Dependencies."""
