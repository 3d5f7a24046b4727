"""The command line: one module per command, with its options and one call. The work is in the subjects."""
