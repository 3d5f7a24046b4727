"""Blind audits: people judge sampled blocks and documents, and their judgements give precision and recall by stage."""
