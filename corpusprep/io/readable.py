"""Numbers and hostile text as people read them."""

import re

#: Control characters but for tab and line feed, and what is no character at all.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")


def thousands(number: str | int | float) -> str:
    """1234567 as 1,234,567; anything that is not a whole number as it stands; nothing as a dash."""
    text = str(number)
    if re.fullmatch(r"-?\d+", text):
        return f"{int(text):,}"
    if re.fullmatch(r"\d{4,}\.\d+", text):
        whole, _, decimals = text.partition(".")
        return f"{int(whole):,}.{decimals}"
    return text or "–"


def compact(number: int) -> str:
    """1234567 as 1.2M, for labels; up to 99,999 as it is."""
    if number < 100_000:
        return f"{number:,}"
    amount = float(number)
    for unit in ("", "k", "M", "B"):
        if amount < 999.5 or unit == "B":
            break
        amount /= 1000
    return f"{amount:.1f}{unit}" if amount < 99.95 else f"{amount:,.0f}{unit}"


def percent(text: str) -> str:
    """46.1 as 46.1 %; nothing as a dash."""
    return f"{text} %" if text else "–"


def size(count: int) -> str:
    """Bytes in the largest decimal unit that leaves a whole digit: 12.3 MB."""
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount < 1000 or unit == "TB":
            break
        amount /= 1000
    return f"{count} B" if unit == "B" else f"{amount:,.1f} {unit}"


def duration(seconds: float) -> str:
    """Seconds as 26 h 37 min, 3 min 12 s or 4.21 s."""
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


def printable(text: str, longest: int) -> str:
    """Text with its control characters shown as U+FFFD, cut with an ellipsis after `longest` characters."""
    cut = text if len(text) <= longest else text[:longest].rstrip() + " …"
    return _UNPRINTABLE.sub("\ufffd", cut)
