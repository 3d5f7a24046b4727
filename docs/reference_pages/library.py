"""The page of the public library interface."""

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import corpusprep
from reference_pages.markdown import code, plain


def library_reference() -> str:
    """Returns the page of the public library interface, corpusprep.__all__."""
    names = [name for name in corpusprep.__all__ if not name.startswith("_")]
    parts = [
        "# Library",
        f"The public interface is what `corpusprep` exports: {', '.join(map(code, names))} and `__version__`.",
    ]
    parts.append("Everything else may change from version to version.")
    for name in names:
        thing = getattr(corpusprep, name)
        parts += [f"## {name}", *_signature(name, thing), *_docstring(inspect.getdoc(thing) or "")]
        methods = vars(thing).items() if inspect.isclass(thing) else ()
        for method, function in methods:
            if inspect.isfunction(function) and not method.startswith("_"):
                parts += [
                    f"### {name}.{method}",
                    *_signature(method, function),
                    *_docstring(inspect.getdoc(function) or ""),
                ]
    return "\n\n".join(parts) + "\n"


def _signature(name: str, thing: Callable[..., Any]) -> list[str]:
    """The signature as code; none for an exception or a protocol, which nobody calls."""
    if inspect.isclass(thing) and (issubclass(thing, Exception) or getattr(thing, "_is_protocol", False)):
        return []
    text = re.sub(r"\b(corpusprep|collections)\.(\w+\.)*|(?<=\()self(, |(?=\)))", "", str(inspect.signature(thing)))
    return [f"```python\n{name}{_wrapped(text)}\n```"]


def _wrapped(signature: str) -> str:
    """A signature, an argument per line if it is long."""
    if len(signature) < 80:
        return signature
    inside, _, result = signature[1:].rpartition(")")
    arguments = re.split(r", (?![^\[]*\])", inside)
    return "(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){result}"


def _docstring(text: str) -> Iterator[str]:
    """A Google-style docstring as Markdown: its sections as lists, its examples as code."""
    for part in text.split("\n\n"):
        first, _, rest = part.partition("\n")
        if part.startswith(">>>"):
            yield f"```pycon\n{part}\n```"
        elif first in ("Args:", "Attributes:", "Raises:", "Returns:", "Yields:"):
            yield f"**{first.replace('Args', 'Arguments')}**"
            items = re.split(r"\n(?=\S)", textwrap.dedent(rest))
            if first == "Returns:":
                yield plain(" ".join(rest.split()))
            else:
                pairs = [" ".join(item.split()).partition(": ") for item in items]
                yield "\n".join(f"- `{name}`: {_keep_code(meaning)}" for name, _, meaning in pairs)
        else:
            yield _keep_code(" ".join(part.split()))


def _keep_code(text: str) -> str:
    """Escapes a text outside its code spans."""
    return "".join(part if part.startswith("`") else plain(part) for part in re.split(r"(`[^`]*`)", text))
