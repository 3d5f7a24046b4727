"""Trains classifiers of blocks on gold pages: labels, folds, tables, trees, validation, model files."""
