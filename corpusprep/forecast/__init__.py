"""Forecasts: what a corpus will cost, from a run on a sample of its archives."""
