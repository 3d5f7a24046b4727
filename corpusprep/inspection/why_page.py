"""Renders why a page is in the corpus or not as one self-contained HTML page."""

from collections.abc import Sequence

from corpusprep.inspection import why_text
from corpusprep.inspection.story import PageStory
from corpusprep.report.rendering import environment


def render(stories: Sequence[PageStory]) -> str:
    """Returns a page about all crawls of a URL. Texts of the crawl are text in it, never markup."""
    made = environment("corpusprep.inspection")
    made.filters["summary"] = why_text.summary
    made.filters["numbers"] = why_text.numbers
    made.filters["facts"] = why_text.facts
    made.filters["plain"] = why_text.plain
    return made.get_template("why.html.j2").render(stories=stories)
