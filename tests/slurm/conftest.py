"""Fixtures of the tests on a cluster."""

from workflow.conftest import sample_crawl

__all__ = ["sample_crawl"]
