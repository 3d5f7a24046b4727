"""Tables that stages write for each other: schemas, verdicts, writing, reading in pieces."""
