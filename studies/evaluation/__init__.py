"""Measures boilerplate removal on gold data, and makes the tables of chapter 2 again."""
