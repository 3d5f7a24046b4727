"""The tables that steps hand to each other: schemas, verdicts, writing and reading in pieces."""
