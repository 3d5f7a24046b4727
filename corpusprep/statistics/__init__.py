"""The thesis's statistics tables, recomputed from a corpus's stage files: one module a table or two."""
