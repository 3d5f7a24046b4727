"""The cleaner content: boosted trees over features of blocks."""
