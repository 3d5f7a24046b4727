"""Chapters 2 and 3 of the thesis as experiments, and the tables of the language kit."""
