"""The cleaner ncleaner: character n-gram models (Evert 2008)."""
