"""Text reuse: which source each text was taken from."""
