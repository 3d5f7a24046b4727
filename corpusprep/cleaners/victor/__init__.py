"""The cleaner victor: conditional random fields (Marek, Pecina, Spousta 2007)."""
