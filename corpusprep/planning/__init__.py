"""Estimating cost: samples, forecasts, and the command lines, memory and time of the workflow's jobs."""
