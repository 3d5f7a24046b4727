"""Gold sets: pages with annotated main content, and the scores of what a cleaner keeps of them."""
