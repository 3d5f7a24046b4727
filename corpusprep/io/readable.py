"""Formats numbers and untrusted text for people."""

import re

#: Control characters except tab and line feed, those that change the direction of what stands behind them (U+202A to
#: U+202E, U+2066 to U+2069), and code points that are not characters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


def thousands(number: str | int | float) -> str:
    """Formats 1234567 as 1,234,567; returns other text unchanged, and a dash for an empty one."""
    text = str(number)
    if re.fullmatch(r"-?\d+", text):
        return f"{int(text):,}"
    if re.fullmatch(r"\d{4,}\.\d+", text):
        whole, _, decimals = text.partition(".")
        return f"{int(whole):,}.{decimals}"
    return text or "–"


def compact(number: int) -> str:
    """Formats 1234567 as 1.2M, for labels; numbers up to 99,999 keep all digits."""
    if number < 100_000:
        return f"{number:,}"
    amount = float(number)
    for unit in ("", "k", "M", "B", "T"):
        if amount < 999.5 or unit == "T":
            break
        amount /= 1000
    return f"{amount:.1f}{unit}" if amount < 99.95 else f"{amount:,.0f}{unit}"


def percent(text: str) -> str:
    """Formats 46.1 as 46.1 %; returns a dash for empty text."""
    return f"{text} %" if text else "–"


def size(count: int) -> str:
    """Formats bytes in the largest decimal unit with a number of at least 1: 12.3 MB."""
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount < 1000 or unit == "TB":
            break
        amount /= 1000
    return f"{count} B" if unit == "B" else f"{amount:,.1f} {unit}"


def duration(seconds: float) -> str:
    """Formats seconds as 26 h 37 min, 3 min 12 s or 4.21 s."""
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


def visible(text: str) -> str:
    """Returns text with control characters as U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", text)


def printable(text: str, longest: int) -> str:
    """Returns text with control characters as U+FFFD, cut with an ellipsis after `longest` characters."""
    cut = text if len(text) <= longest else text[:longest].rstrip() + " …"
    return visible(cut)
