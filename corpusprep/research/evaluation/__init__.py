"""Boilerplate removal measured on gold data: the tables of chapter 2, regenerated."""
