"""Writes tables into pages of the documentation, each between `<!-- name -->` and `<!-- end -->`."""

import re
from collections.abc import Mapping
from pathlib import Path

from running import CommandError


def replace(page: Path, tables: Mapping[str, str]) -> None:
    """Replaces the tables of a page, by their names.

    Raises:
        CommandError: the page has no place for one of them; it stays as it was.
    """
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        parts = re.split(rf"(?<=<!-- {re.escape(name)} -->\n).*?(?=<!-- end -->)", text, maxsplit=1, flags=re.DOTALL)
        if len(parts) != 2:
            raise CommandError(f"{page}: no place for the table {name}")
        text = f"{parts[0]}{table}\n{parts[1]}"
    page.write_text(text, encoding="utf-8")
