"""CPU time, memory and disk of every step as a corpus grows."""
