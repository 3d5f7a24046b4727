"""Extraction and de-duplication beside other tools: CPU time, what is kept, and quality, in one run."""
