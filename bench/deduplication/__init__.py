"""The steps of `ngrams` and `blocks` on corpora of any size, made from a real one."""
