"""Baisa 2009, *Web Content Cleaning*: tables 3.1 to 3.4."""
