"""Files and processes: writing, spilling, reading ahead, memory, progress, sizes, times."""
