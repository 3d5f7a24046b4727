"""Prints why a page is in the corpus or not, for a terminal of 80 columns.

Everything that comes from the crawl is printed without control characters: a page cannot move the cursor or change
colours.
"""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from corpusprep._native.unicode import visible
from corpusprep.inspection.story import BlockStory, PageStory, Verdict
from corpusprep.io.readable import printable, thousands

#: Characters of a block's text that are printed, unless all of it is wanted.
SHOWN = 210
#: Sources that are printed per block.
SOURCES = 3
_STYLES = {True: "green", False: "red"}


def show(stories: Sequence[PageStory], console: Console, *, whole: bool = False) -> None:
    """Prints all records of a page.

    Args:
        stories: of the records.
        console: where to.
        whole: whether to print the whole text of each block.
    """
    for number, story in enumerate(stories, 1):
        if len(stories) > 1:
            console.print(Text(f"Record {number} of {len(stories)}", style="dim"))
        _page(story, console)
        for block in story.blocks:
            _block(block, console, whole=whole)
        console.print()


def plain(text: str) -> str:
    """Returns text from the crawl as it may be printed: on one line, without characters that nobody sees."""
    return printable(" ".join(visible(text).split()), len(text) + 1)


def summary(verdict: Verdict) -> str:
    """Returns a verdict in words: `kept`, or `removed by language: rival_language`."""
    if verdict.kept:
        return "kept" if verdict.reason in ("kept", "") else f"kept ({verdict.reason})"
    return f"removed by {verdict.stage}: {verdict.reason}" if verdict.stage else verdict.reason


def numbers(block: BlockStory) -> str:
    """Returns the numbers of a block in one line."""
    parts = [f"{thousands(block.words)} word{'' if block.words == 1 else 's'}", f"links {block.link_density:.2f}"]
    parts.append(f"stop words {block.stopword_density:.2f}")
    if block.score is not None:
        parts.append(f"score {block.score:.3f}")
    if block.kind:
        parts.append(block.kind)
    parts.append(f"{block.context_free} → {block.label}" if block.context_free != block.label else block.label)
    if block.covered_share is not None:
        parts.append(f"seen before {block.covered_tokens} of {block.counted_tokens} tokens ({block.covered_share:.0%})")
    return " · ".join(parts)


def encodings(story: PageStory) -> str:
    """Returns the encodings of a page in one line."""
    named = story.encodings
    declared = [
        f"{where} {name}" for where, name in (("HTTP", named.http), ("page", named.meta), ("BOM", named.bom)) if name
    ]
    detected = f"bytes look like {named.detected}" if named.detected else ""
    if detected and named.score is not None:
        detected += f" ({named.score:.3f})"
    basis = "; ".join(filter(None, [f"declared: {', '.join(declared)}" if declared else "none declared", detected]))
    return f"{named.used}; {basis}" if named.used else basis


def facts(story: PageStory) -> Iterator[tuple[str, str]]:
    """Yields what is known about a page, but for its blocks: (name, value)."""
    mended = ", its declared length was mended" if story.mended else ""
    mended += ", only the beginning of the page" if story.truncated else ""
    yield "archive", f"{story.archive}, byte {story.offset:,} ({story.length:,} bytes){mended}"
    yield "record", ", ".join(filter(None, [story.record_type, story.record_id, f"{story.batch}:{story.record}"]))
    status = f"HTTP {story.status}" if story.status is not None else ""
    size = f"{story.payload_bytes:,} bytes" if story.payload_bytes else ""
    yield "fetched", ", ".join(filter(None, [story.date, status, story.content_type, size]))
    if story.encodings.used or story.encodings.detected:
        yield "encoding", encodings(story)
    if story.title:
        yield "title", story.title
    if story.rights:
        yield "rights", story.rights
    if story.language is not None:
        language = story.language
        score = "too short for a score" if language.score is None else f"{language.score:.3f}"
        rival = (
            f", {language.rival} {language.rival_score:.3f}"
            if language.rival and language.rival_score is not None
            else ""
        )
        yield "language", f"{language.language} {score}{rival}"
    if story.document_id:
        yield "document", story.document_id
    if story.duplicate_of is not None:
        yield "same text", f"{story.duplicate_of.id} {story.duplicate_of.url} ({story.duplicate_of.date})"
    if story.near_duplicate_of is not None:
        near, share = story.near_duplicate_of
        yield "near copy", f"{near.id} {near.url} ({near.date}), {100 * share:.0f} % of the n-grams in both"
    if story.place is not None and story.place.file:
        where = story.place
        yield "corpus", f"{where.file}, line {where.line:,}: {where.words:,} words, {where.tokens:,} tokens"
    if story.blocks:
        kept = sum(block.verdict.kept for block in story.blocks)
        yield "blocks", f"{kept} of {len(story.blocks)} kept, {story.kept_words:,} of {story.words:,} words"
    for note in story.notes:
        yield "note", note


def _page(story: PageStory, console: Console) -> None:
    console.print(Text(plain(story.url) or "(a record without a URL)", style="bold"))
    verdict = Text(summary(story.verdict), style=f"bold {_STYLES[story.verdict.kept]}")
    if story.verdict.meaning and not story.verdict.kept:
        verdict.append(f" – {story.verdict.meaning}", style="not bold")
    console.print(Padding(verdict, (0, 0, 0, 2)))
    for name, value in facts(story):
        console.print(_hanging(name, plain(value), console))


def _block(block: BlockStory, console: Console, *, whole: bool) -> None:
    style = _STYLES[block.verdict.kept]
    head = Text()
    head.append(f"{block.number:>4} ", style="dim")
    head.append("▌", style=style)
    head.append(f"<{plain(block.tag)}> ", style="dim")
    head.append(summary(block.verdict), style=style)
    console.print(head)
    for text, look in (
        (numbers(block), "dim"),
        (plain(block.text) if whole else printable(plain(block.text), SHOWN), "bold" if block.heading else ""),
    ):
        for line in Text(text, style=look).wrap(console, console.width - 7):
            console.print(Text("     ").append("▌ ", style=style).append_text(line))
    for source in block.sources[:SOURCES]:
        shared = (
            f"{source.ngrams} n-grams ({source.tokens} tokens) in {source.document.id} {plain(source.document.url)}"
        )
        console.print(Padding(Text(shared, style="dim"), (0, 0, 0, 7)))
    if len(block.sources) > SOURCES:
        console.print(Padding(Text(f"… and {len(block.sources) - SOURCES} more documents", style="dim"), (0, 0, 0, 7)))


def _hanging(name: str, value: str, console: Console) -> Text:
    """Returns a name and its value, whose further lines are indented."""
    text = Text(f"  {name:<10}", style="dim")
    for number, line in enumerate(Text(value).wrap(console, console.width - 12)):
        text.append("\n" + " " * 12 if number else "").append(line.plain, style="not dim")
    return text
