"""The stages: steps that belong together in tables and figures, and those that decide about documents."""

from collections.abc import Mapping
from dataclasses import dataclass

from corpusprep import startup


@dataclass(frozen=True, slots=True)
class Stage:
    """Steps that belong together in tables and figures.

    Attributes:
        name: the name in file names and tables, and of the command below `corpusprep step`.
        help: what the command does, in one line.
        rates: what its speed is measured in, per CPU second (table 3.7).
        after: the row of the corpus-size table that says what it has left, for stages that decide about documents.
        removes: the same for figures, short.
        timed: whether it has a row in the table of processing times.
        always: whether every corpus has it; one that not all have has a row only where it has run.
        of_pages: whether it reads pages or plans to: a crawl of several languages has it once for all of them.
        kept_ms: milliseconds for which polars keeps memory that it no longer needs; 0 where the work is divided by the
            memory that is left.
    """

    name: str
    help: str
    rates: tuple[str, ...] = ("pages", "tokens")
    after: str = ""
    removes: str = ""
    timed: bool = True
    always: bool = True
    of_pages: bool = False
    kept_ms: int = startup.KEPT_MS


#: In the order of the work.
STAGES: Mapping[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage("batches", "Sort the archives and pack them into batches.", rates=(), of_pages=True),
        Stage(
            "encoding", "Read archives: one row per record, with the page's encoding.", rates=("pages",), of_pages=True
        ),
        Stage(
            "boilerplate",
            "Segment pages into blocks and classify them.",
            rates=("pages",),
            after="after removing boilerplate",
            removes="boilerplate",
            of_pages=True,
        ),
        Stage(
            "language",
            "Keep documents in the corpus language.",
            rates=("pages",),
            after="after language filtering",
            removes="language",
        ),
        Stage("tokens", "Tokenise the good blocks into a vertical."),
        Stage("annotate", "Add columns to the vertical: lemmas, tags.", rates=("tokens",), always=False),
        Stage(
            "documents",
            "Find exact duplicates over the whole corpus.",
            after="after removing exact duplicates",
            removes="exact duplicates",
            kept_ms=0,
        ),
        Stage("ngrams", "Find the duplicate n-grams of the corpus.", kept_ms=0),
        Stage(
            "blocks",
            "Find duplicate blocks (algorithm 3.1).",
            after="after block-level de-duplication",
            removes="duplicate blocks",
            kept_ms=0,
        ),
        Stage(
            "quality",
            "Measure the quality of documents, and remove those that a rule refuses.",
            after="after filtering by quality",
            removes="low quality",
            always=False,
        ),
        Stage("corpus", "Write the corpus in the chosen formats."),
        Stage("index", "Index the records of a corpus by their URLs.", timed=False, kept_ms=0),
        # Each part of a batch takes the memory again that the part before has freed a few hundredths of a second ago.
        Stage("statistics", "Compute the statistics tables.", timed=False, kept_ms=30),
        Stage("report", "Write the report: one self-contained HTML page.", timed=False),
    )
}

#: The first row of the corpus-size table, and the same for figures.
CRAWL = ("original crawl", "crawl")

#: The stages that decide about documents and blocks; `encoding` decides about records.
DECIDING = tuple(stage.name for stage in STAGES.values() if stage.after)
#: Those that every corpus has.
ALWAYS_DECIDING = tuple(name for name in DECIDING if STAGES[name].always)


def deciding_before(name: str) -> str:
    """Returns the last stage before another one that decides about documents."""
    stages = list(STAGES)
    return [stage for stage in DECIDING if stages.index(stage) < stages.index(name)][-1]


#: The deciding stages between `language` and `tokens`. Their tables have one row per document: record and verdict.
DECIDING_BEFORE_TOKENS = tuple(
    name
    for name in tuple(STAGES)[tuple(STAGES).index("language") + 1 : tuple(STAGES).index("tokens")]
    if name in DECIDING
)
