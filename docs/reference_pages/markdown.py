"""Writes Markdown: tables, code spans, docstrings."""

import inspect
import re
import textwrap


def table(header: list[str], rows: list[list[str]]) -> str:
    """Returns a Markdown table; line breaks and bars in cells are escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines) + "\n"


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def code(value: object) -> str:
    """Returns a value as a code span, as YAML writes it; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, list):
        value = "[" + ", ".join(map(str, value)) + "]"
    return f"`{value}`"


def plain(text: str) -> str:
    """Returns a text with the characters escaped that Markdown and HTML would read as their own, except in code."""
    return re.sub(r"`[^`]*`|[<>*_\[\]]", lambda found: found[0] if found[0][0] == "`" else f"&#{ord(found[0])};", text)


def paragraphs(text: str) -> list[str]:
    r"""The paragraphs of a help text or docstring; those that click may not wrap (after \b) as they stand."""
    return [
        textwrap.indent(part.removeprefix("\b\n"), "    ") if part.startswith("\b") else plain(" ".join(part.split()))
        for part in inspect.cleandoc(text).split("\n\n")
        if part.strip()
    ]
