"""What a step over the whole corpus costs in one process and in parts."""
