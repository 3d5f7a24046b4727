"""Files and processes: atomic writing, spill files, reading ahead, memory, progress, sizes, times."""
