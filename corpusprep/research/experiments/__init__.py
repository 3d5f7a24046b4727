"""The experiments of chapter 3 of Pomikálek 2011: duplicate n-grams, and the methods they are compared with."""
