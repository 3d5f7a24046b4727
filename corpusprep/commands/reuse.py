"""`corpusprep check reuse`: which source each text was taken from, and which passages."""

from pathlib import Path

import click


@click.command("reuse")
@click.argument("suspicious", type=click.Path(path_type=Path))
@click.argument("sources", type=click.Path(path_type=Path))
@click.option(
    "--truth",
    type=click.Path(path_type=Path),
    help="Table without a header: id, tab, id of its true source or `-`. Default: the attribute `source`.",
)
@click.option("--n", default=5, type=click.IntRange(1, 100), help="Words in a chunk.")
@click.option("--least", default=20, type=click.IntRange(1), help="The fewest chunks that a passage must share.")
@click.option("--gap", default=50, type=click.IntRange(0), help="The most words between two chunks of a passage.")
@click.option("--language", default="en", help="Of plain texts: code of a built-in language, or path of a .model file.")
def command(suspicious: Path, sources: Path, truth: Path | None, n: int, least: int, gap: int, language: str) -> None:
    """Print the source that each suspicious document was taken from.

    SUSPICIOUS and SOURCES are verticals (plain or .zst, structures <doc id="…">), plain texts, or folders of
    *.txt, *.vert and *.vert.zst; they may be the same file. Documents with class="original" are not suspicious,
    those with class="plagiarism" are no sources.

    Prints one line per suspicious document: its id, the id of the detected source or `-`, and the id of the true
    one where it is known, with tabs between them. Then one line per passage, which starts with a tab:
    begin-end in the document, begin-end in the source, chunks in common. A passage has --least chunks of --n words,
    at least 24 words with the defaults; documents with fewer are counted on standard error. Offsets count
    from 0, characters in plain texts and tokens in verticals; the end is not included. Where true sources
    are known the last line gives precision, recall and F1.
    """
    from corpusprep import languages
    from corpusprep.gold.scores import scores
    from corpusprep.reuse import sources as reuse
    from corpusprep.reuse.intervals import ValidIntervals
    from corpusprep.text.made_tokenizer import built_in_tokenizer

    model = languages.get(language)
    tokenizer = built_in_tokenizer(model)
    true_sources = reuse.read_truth(truth) if truth is not None else None
    taken, offered = reuse.read(suspicious, sources, tokenizer, true_sources)
    words = n + least - 1
    if short := reuse.too_short(taken, words):
        click.echo(
            f"{short:,} of {len(taken):,} suspicious documents have fewer than {words} words, so no passage of {least} "
            f"chunks of {n} words is in them; lower --least or --n to find shorter ones",
            err=True,
        )
    detections = reuse.detect(taken, offered, ValidIntervals(n, least, gap))
    for detection in detections:
        cells = [detection.document.id, "-" if detection.source is None else detection.source.id]
        if detection.document.source is not None:
            cells.append(detection.document.source or "-")
        click.echo("\t".join(cells))
        for begin, end, source_begin, source_end, chunks in detection.passages:
            click.echo(f"\t{begin}-{end}\t{source_begin}-{source_end}\t{chunks}")
    counted = reuse.counts(detections)
    if counted is not None:
        measured = scores(counted)
        click.echo("\t".join(f"{value / 100:.2f}" for value in (measured.precision, measured.recall, measured.f1)))
