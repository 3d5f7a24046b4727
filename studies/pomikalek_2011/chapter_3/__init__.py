"""Repeats the experiments of chapter 3 of Pomikálek 2011: duplicate n-grams, and other de-duplication methods."""
