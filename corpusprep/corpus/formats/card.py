"""Writes the data card (README.md): what the corpus is made of, how, and what was lost on the way.

Its head is what the `datasets` library and the Hugging Face Hub read: `load_dataset` of the folder finds the documents.
All numbers are from the statistics of the corpus.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from corpusprep import __version__, pipeline
from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.io import tsv
from corpusprep.io.files import replacing
from corpusprep.io.installation import software
from corpusprep.io.readable import thousands
from corpusprep.personal.rules import KINDS

#: Formats that `datasets` loads, the best first -> the builder that reads it, and the suffix of its files.
_LOADED = {"parquet": "parquet", "jsonl": "jsonl.zst"}
_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000)
_SIZE_NAMES = (
    "n<1K",
    "1K<n<10K",
    "10K<n<100K",
    "100K<n<1M",
    "1M<n<10M",
    "10M<n<100M",
    "100M<n<1B",
    "1B<n<10B",
    "10B<n",
)
MOST_HOSTS = 20
#: What no README.md has that a user has written.
_MARK = "Made with corpusprep"


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the card."""
    with replacing(paths[0]) as temporary:
        temporary.write_text(card(corpus), encoding="utf-8")


def card(corpus: FinishedCorpus) -> str:
    """Returns the card of a corpus.

    Raises:
        StageFileError: its statistics cannot be read.
    """
    return "\n\n".join("\n".join(part) for part in _parts(corpus)) + "\n"


def _parts(corpus: FinishedCorpus) -> Iterator[Iterable[str]]:
    sizes = tsv.read(corpus.statistics / "corpus_size.tsv", ("stage", "documents", "blocks", "words", "tokens"))
    [crawl] = tsv.read(corpus.statistics / "crawl.tsv", ("archives", "stored_bytes", "records", "pages", "urls"))
    ledger = tsv.read(corpus.statistics / "ledger.tsv", ("stage", "unit", "verdict", "count"))
    hosts, _ = tsv.head(corpus.statistics / "domains.tsv", MOST_HOSTS)
    last = sizes[-1]
    yield _head(corpus, sum(part.sums.get("documents", 0) for part in corpus.parts) or int(last["documents"]))
    yield [f"# {corpus.name}"]
    language = f" in {corpus.language_name}" if corpus.language_name else ""
    yield [
        f"A corpus of Web pages{language}: {thousands(int(last['documents']))} documents,"
        f" {thousands(int(last['words']))} words, {thousands(int(last['tokens'] or 0))} tokens{_model_tokens(corpus)}."
        f" {_MARK} {__version__} from {thousands(int(crawl['archives']))} Web archives."
    ]
    yield ["## Sources"]
    yield _table(
        ("archives", "bytes as stored", "records", "pages", "addresses"),
        [[thousands(int(crawl[name])) for name in ("archives", "stored_bytes", "records", "pages", "urls")]],
    )
    yield [f"Documents are from {thousands(_hosts_left(corpus))} hosts. Those with most documents in the crawl:"]
    rows = [
        [_cell(row["host"]), thousands(int(row["documents_crawl"])), thousands(int(row["documents"]))] for row in hosts
    ]
    yield _table(("host", "documents in the crawl", "documents in the corpus"), rows)
    yield ["## Sizes"]
    yield _table(
        ("after", "documents", "blocks", "words", "tokens"),
        [
            [_stage(row["stage"]), *(thousands(int(row[name])) if row[name] else "" for name in _NUMBERS)]
            for row in sizes
        ],
    )
    yield ["## What was removed, and why"]
    lost = [row for row in ledger if row["verdict"] != "kept" and row["unit"] in ("record", "document", "word")]
    rows = [
        [row["stage"], row["unit"], _cell(row["verdict"]), thousands(int(row["count"]))]
        for row in lost
        if row["count"] != "0"
    ]
    yield _table(("stage", "unit", "reason", "number"), rows)
    yield from _personal(corpus)
    yield ["## Files"]
    yield [f"The formats are {', '.join(corpus.formats)}. Each has the same documents in the same order."]
    yield from _files(corpus)
    if loaded := next((name for name in _LOADED if name in corpus.formats), None):
        yield [
            "```python",
            "from datasets import load_dataset",
            "",
            f'corpus = load_dataset("{corpus.name}")  # {loaded}',
            "```",
        ]
    yield ["## Licence and citation"]
    yield [corpus.licence or "No licence is stated for the corpus as a whole. The pages are their publishers'."]
    yield ["The column `licence` has the licence that a page names itself; `rights` its marks for robots."]
    if licences := sum((Counter(part.licences) for part in corpus.parts), Counter[str]()):
        unit = "sentences" if corpus.order == "sentences" else "documents"
        rows = [[name, thousands(number)] for name, number in sorted(licences.items())]
        yield _table(("licence of the page", unit), rows)
    if corpus.citation:
        yield [corpus.citation]
    yield ["## Software"]
    yield [f"{software()}."]
    yield ["## Settings"]
    yield ["```json", json.dumps(corpus.settings, indent=2, ensure_ascii=False, sort_keys=True, default=str), "```"]


#: What replaces personal data, by the setting personal.replace.
_REPLACED = {
    "label": "a label of their kind",
    "hash": "a label with a keyed hash of the value",
    "made_up": "a made-up value of the same kind",
}


def _personal(corpus: FinishedCorpus) -> Iterator[Iterable[str]]:
    """Yields what was found of personal data, and what was replaced."""
    yield ["## Personal data"]
    settings = corpus.settings.get("personal", {})
    masked = settings.get("mask", ())
    if not masked and not settings.get("find"):
        yield ["Personal data was not looked for, and none was replaced: the text may have some."]
        return
    rows = tsv.read(corpus.statistics / "personal_data.tsv", ("kind", "places", "documents"))
    found = [
        [row["kind"], *(thousands(int(row[name])) for name in ("places", "documents")), "yes" * (row["kind"] in masked)]
        for row in rows
    ]
    looked = ", ".join(settings.get("find") or KINDS)
    way = _REPLACED[settings["replace"]] if masked else ""
    replaced = f" {', '.join(masked)}: replaced by {way}." if masked else " None was replaced."
    yield [
        f"Looked for by their form: {looked}.{replaced} Names and postal addresses were not looked for, and not all"
        " places are found. Titles and other metadata are as on the page."
    ]
    if found:
        yield _table(("kind", "places", "documents", "replaced"), found)


_NUMBERS = ("documents", "blocks", "words", "tokens")
_ORDERS = {
    "shuffled": "Documents are in an order of chance (seed {seed}).",
    "sentences": (
        "Each sentence is a document of its own, and the sentences of all documents are in an order of chance (seed"
        " {seed}). Of its page, a sentence has the host, the year, the language, the licence and the marks for robots."
    ),
}


def _files(corpus: FinishedCorpus) -> Iterator[Iterable[str]]:
    """Yields what files of the whole corpus hold: their order, and the sizes of its parts."""
    if corpus.order in _ORDERS:
        yield [_ORDERS[corpus.order].format(seed=corpus.seed)]
    if corpus.parts:
        names = ["documents", "words", "tokens", *["model_tokens"] * ("model_tokens" in corpus.parts[0].sums)]
        headings = ["sentences" if corpus.order == "sentences" else "documents", *names[1:]]
        rows = [
            [
                f"`{part.pattern}.*`",
                thousands(part.files),
                *(thousands(part.sums.get(name, 0)) for name in names),
            ]
            for part in corpus.parts
        ]
        yield _table(("files", "number", *(name.replace("_", " ") for name in headings)), rows)


def _head(corpus: FinishedCorpus, documents: int) -> list[str]:
    """Returns the YAML that the Hub and `datasets` read; texts are in the form of JSON, which is YAML as well."""
    size = _SIZE_NAMES[sum(documents >= border for border in _SIZES)]
    lines = ["---", f"pretty_name: {json.dumps(corpus.name, ensure_ascii=False)}"]
    lines += [f"language: [{json.dumps(corpus.language)}]"] if corpus.language else []
    lines += [f"license: {json.dumps(corpus.licence)}"] if corpus.licence and " " not in corpus.licence else []
    lines += ["task_categories: [text-generation]", f'size_categories: ["{size}"]']
    if loaded := next((name for name in _LOADED if name in corpus.formats), None):
        lines += ["configs:", "  - config_name: default"]
        if [part.name for part in corpus.parts] in ([], [""]):
            lines.append(f'    data_files: "*.{_LOADED[loaded]}"')
        else:
            lines.append("    data_files:")
            for part in corpus.parts:
                lines += [
                    f"      - split: {part.name}",
                    f"        path: {json.dumps(f'{part.pattern}.{_LOADED[loaded]}')}",
                ]
    return [*lines, "---"]


def _model_tokens(corpus: FinishedCorpus) -> str:
    """Returns what is said of the tokens of a model; nothing where they are not counted."""
    path = corpus.statistics / "model_tokens.tsv"
    rows = tsv.read(path, ("model_tokens",)) if path.exists() else []
    return f" ({thousands(int(rows[0]['model_tokens']))} of the model)" if rows else ""


def _hosts_left(corpus: FinishedCorpus) -> int:
    """Returns the number of hosts that have a document in the corpus."""
    rows = tsv.read(corpus.statistics / "host_sizes.tsv", ("documents", "hosts"))
    return sum(int(row["hosts"]) for row in rows if row["documents"] != "0")


def _stage(name: str) -> str:
    return pipeline.CRAWL[0] if name == pipeline.CRAWL[1] else pipeline.STAGES[name].after.removeprefix("after ")


def _cell(text: str) -> str:
    return f"`{text.replace('|', '').replace('`', '')}`" if text else ""


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


FORMAT = CorpusFormat(
    "card",
    ("README.md",),
    "The data card: sources, sizes and losses by stage, settings, licence, citation; `datasets` reads its head.",
    write,
    _MARK,
)
