"""Reference pages, generated from the package (docs/generate.py)."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
