"""A local web page over finished corpora: sizes, pages and why they are there, concordances, thresholds, audits."""
