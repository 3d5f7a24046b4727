"""The config: its schema and defaults, its checks, and the settings of each corpus."""
