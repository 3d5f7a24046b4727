"""A run on SLURM that loses nodes and jobs, beside one that is left alone."""
