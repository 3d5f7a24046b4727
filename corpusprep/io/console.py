"""Prints by rich, guarded against control characters of others' text as `io.terminal` guards other output."""

from collections.abc import Iterable

import rich.console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from corpusprep.io.readable import visible


class Console(rich.console.Console):
    """A console of rich that shows control characters as U+FFFD; those that rich adds are obeyed."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yields the segments of what is printed."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
