"""The thesis's statistics tables, computed from the stage files of a corpus: one module per table."""
