"""The cleaner texrex: a multilayer perceptron per language (Schäfer 2016)."""
