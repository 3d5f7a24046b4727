"""De-duplication: document order, duplicate n-grams, block de-duplication."""
