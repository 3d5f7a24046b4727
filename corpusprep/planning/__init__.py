"""Estimating cost: samples, forecasts, and what the jobs of a workflow ask for."""
