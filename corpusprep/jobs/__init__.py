"""The jobs of the workflow: command lines, memory and time, retries, workers."""
