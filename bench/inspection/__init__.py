"""Speed and memory of looking into a corpus."""
