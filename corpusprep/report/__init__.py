"""The report: one self-contained HTML page with a corpus's statistics and example pages."""
