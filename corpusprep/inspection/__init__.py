"""Looking into a corpus: why a page is there or not, concordances, what was removed, audits, local pages."""
