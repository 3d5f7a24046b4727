"""The report: one self-contained HTML page of a corpus's statistics, with examples."""
