"""Surveys: what is in a crawl, from a sample of its pages."""
