"""Measures what cleaning does to a language model, and to word similarities: the same number of words of each stage.

    python bench language-model [--data FOLDER] [--output PAGE]

The workflow makes a corpus of the English pages of CRAWLS, without the pages of a quarter of the hosts that have gold
text. Models are trained on what each stage leaves, and tell the gold text of those hosts: the better a model, the lower
its perplexity. Each model has half as many words as the last stage leaves, in whole pages that are drawn DRAWS times.
The same draws tell which nouns are similar (similarities.py). Writes the page to --output, or prints it, and the figure
beside its images.
"""

import hashlib
import json
import re
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import polars as pl
import running

from corpusprep.archive.batches import batch_names
from corpusprep.gold import sets
from corpusprep.statistics.joined_verdicts import in_corpus, parts, stays
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from quality import similarities
from quality.kneser_ney import UNKNOWN, KneserNey

CRAWLS = ("en-cleaneval", "en-l3s-gn1", "news-english")
#: Gold set -> the name of its gold text.
GOLD = {"cleaneval-final": "", "l3s-gn1": "main"}
#: One host in that many is held out.
HELD_OUT = 4
DRAWS = 5
#: Words that the crawl has less often are unknown to all models.
LEAST_OCCURRENCES = 3
SETTINGS = {
    "boilerplate": {"algorithm": "content"},
    "blocks": {"unit": "both"},
    "filter": {"preset": ["gopher", "c4", "fineweb"]},
}
#: Stage -> the blocks that it leaves.
STAGES: Mapping[str, pl.Expr] = {
    "the crawl": pl.lit(value=True),
    "after removing boilerplate": stays("boilerplate"),
    "after language and duplicates": stays("blocks"),
    "after filtering by quality": in_corpus(),
}
WIDTH = 120
FIGURE = "language-model.svg"
_WORD = re.compile(r"\w+|[^\w\s]")
_MARKUP = re.compile(r"^\s*(?:URL:.*|<[phl]>)", re.MULTILINE | re.IGNORECASE)

Lines = list[list[str]]


class Result(NamedTuple):
    """What models of a stage tell: documents and words; of each draw, the perplexity and the area of similarities."""

    documents: int
    words: int
    perplexities: list[float]
    areas: list[float]


class Measured(NamedTuple):
    """What was measured: the results by stage; the words of a model; the share of the gold text that all do not know;
    the nouns that were compared, and their related pairs.
    """

    results: dict[str, Result]
    words: int
    unknown: float
    nouns: int
    pairs: int


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures, and writes or prints the page."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--output", type=Path, help="the page to write: docs/measurements/language-model.md")
    options = parser.parse_args(arguments)
    archives = running.crawl_archives(options.data, CRAWLS)
    nouns = similarities.Nouns()
    gold = gold_lines(options.data)
    hosts = sorted(host for host in gold if is_held_out(host))
    with tempfile.TemporaryDirectory() as folder:
        stages = build(Path(folder), archives, hosts)
    measured = measure(stages, [line for host in hosts for line in gold[host]], nouns)
    lines = list(page(measured, len(hosts), sum(len(line) for host in hosts for line in gold[host])))
    if options.output is None:
        print("\n".join(lines))
        return
    options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draw(measured.results, options.output.parent.parent / "images" / FIGURE)


def tokens(text: str) -> Lines:
    """Returns the words and marks of each line that has any, in small letters."""
    return [line for line in (_WORD.findall(line.lower()) for line in text.splitlines()) if line]


def host_of(address: str) -> str:
    """Returns the host of an address without www."""
    return (urlsplit(address).hostname or "").removeprefix("www.")


def is_held_out(host: str) -> bool:
    """Returns whether a host is held out, by its name."""
    return int(hashlib.sha1(host.encode(), usedforsecurity=False).hexdigest(), 16) % HELD_OUT == 0


def gold_lines(data: Path) -> dict[str, Lines]:
    """Returns host -> lines of gold text.

    Raises:
        CommandError: a set is missing.
    """
    found: dict[str, Lines] = {}
    for name, kind in GOLD.items():
        read = sets.read(name, data)
        if read is None:
            raise running.CommandError(f"{data}: no gold set {name}")
        for one in read.pages:
            text = one.gold[kind]
            host = host_of(text.split("\n", 1)[0].partition("URL:")[2].strip()) if read.markup else one.site
            found.setdefault(host.removeprefix("www."), []).extend(tokens(_MARKUP.sub("", text)))
    found.pop("", None)
    return found


def build(folder: Path, archives: Sequence[Path], held_out: Sequence[str]) -> dict[str, dict[str, Lines]]:
    """Makes the corpus without the pages of some hosts, and returns stage -> address -> lines."""
    made = {"language": "en", "archives": list(map(str, archives))}
    without = {"hosts": [f"!{name}" for host in held_out for name in (host, f"www.{host}")]}
    config = {**SETTINGS, "encoding": without, "corpora": {"made": made}}
    (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
    running.run_workflow(folder, ["--cores", "2"])
    corpus = folder / "results" / "made"
    found: dict[str, dict[str, Lines]] = {stage: {} for stage in STAGES}
    for batch in batch_names(corpus_file(corpus, "plan")):
        for part in parts(BatchFiles.of(corpus, batch)):
            blocks = part.blocks.join(part.documents.select("record", "url"), on="record", maintain_order="left")
            for stage, kept in STAGES.items():
                for url, texts in blocks.filter(kept).group_by("url", maintain_order=True).agg("text").iter_rows():
                    if lines := tokens("\n".join(texts)):
                        found[stage][url] = lines
    if held := {host_of(url) for url in found["the crawl"]}.intersection(held_out):
        raise running.CommandError(f"pages of hosts that are held out: {', '.join(sorted(held))}")
    return found


def measure(stages: Mapping[str, Mapping[str, Lines]], gold: Lines, nouns: similarities.Nouns) -> Measured:
    """Returns what models of each stage tell."""
    first = next(iter(stages.values()))
    counts = Counter(word for lines in first.values() for line in lines for word in line)
    known = {word for word, count in counts.items() if count >= LEAST_OCCURRENCES}
    numbers = {word: number for number, word in enumerate(sorted(known), 1)}

    def numbered(lines: Iterable[Sequence[str]]) -> list[list[int]]:
        return [[numbers.get(word, UNKNOWN) for word in line] for line in lines]

    sizes = {stage: {url: sum(map(len, lines)) for url, lines in pages.items()} for stage, pages in stages.items()}
    words = min(sum(pages.values()) for pages in sizes.values()) // 2
    told = numbered(gold)
    unknown = sum(word == UNKNOWN for line in told for word in line) / sum(map(len, told))
    drawn = {
        stage: [numbered(_drawn(pages, number, words)) for number in range(DRAWS)] for stage, pages in stages.items()
    }
    areas, compared, pairs = similarities.areas(drawn, ["", *sorted(known)], nouns)
    results = {}
    for stage, pages in stages.items():
        perplexities = [KneserNey(text, len(numbers) + 1).perplexity(told) for text in drawn[stage]]
        results[stage] = Result(len(pages), sum(sizes[stage].values()), perplexities, areas[stage])
    return Measured(results, words, unknown, compared, pairs)


def _drawn(pages: Mapping[str, Lines], number: int, words: int) -> Iterator[list[str]]:
    """Yields lines of pages in an order of chance, that many words."""
    left = words
    for url in sorted(pages, key=lambda url: hashlib.md5(f"{number} {url}".encode(), usedforsecurity=False).digest()):
        for line in pages[url]:
            if left <= 0:
                return
            yield line[:left]
            left -= len(line)


def page(measured: Measured, hosts: int, gold_words: int) -> Iterator[str]:
    """Yields the lines of the page."""
    results = measured.results
    yield "# What cleaning does to a language model"
    yield ""
    about = f"""Trigram models (interpolated Kneser-Ney) of {measured.words:,} words and marks each, trained on what
    each stage leaves of {len(CRAWLS)} English crawls: news, and the pages of CleanEval. They tell {gold_words:,} words
    and marks of gold text of {hosts} hosts of which no page is in the training text. The lower the perplexity, the
    better the model knows running text. Each model is trained on {DRAWS} draws of whole pages. The vocabulary is that
    of the crawl (words that occur {LEAST_OCCURRENCES} times or more), so all models have the same unknown words:
    {100 * measured.unknown:.1f} % of the gold text. Settings: `{json.dumps(SETTINGS)}`."""
    yield from textwrap.wrap(" ".join(about.split()), WIDTH, break_on_hyphens=False)
    yield from ["", "    python bench language-model --output docs/measurements/language-model.md", ""]
    yield f"{date.today()}. corpusprep {version('corpusprep')}."
    yield ""
    yield "| training text | documents | words and marks | perplexity | least to most of the draws | beside the crawl |"
    yield "|---|---:|---:|---:|---:|---:|"
    first = _mean(next(iter(results.values())).perplexities)
    for stage, result in results.items():
        mean = _mean(result.perplexities)
        least, most = min(result.perplexities), max(result.perplexities)
        change = f"{100 * (mean / first - 1):+.1f} %" if mean != first else ""
        row = f"| {stage} | {result.documents:,} | {result.words:,} | {mean:.1f} | {least:.1f} to {most:.1f} |"
        yield f"{row} {change} |"
    yield ""
    yield f"![Perplexity of gold text, by the stage that the training text is from](../images/{FIGURE})"
    yield from ["", "## Word similarities", ""]
    about = f"""Text without boilerplate is the better material for word similarities (Schäfer 2016, 5). The same
    draws, {measured.nouns:,} nouns that each has {similarities.LEAST_OCCURRENCES} times or more. The similarity of two
    nouns is the cosine of their positive pointwise mutual information with the {similarities.CONTEXTS:,} most frequent
    words, up to {similarities.WINDOW} words away. {measured.pairs:,} pairs are related in WordNet 3.0 (Debian's
    `wordnet-base`): the first sense of one is that of the other, above it or beside it. The area is the share of
    comparisons in which a related pair is more similar than an unrelated one; 0.5 by chance."""
    yield from textwrap.wrap(" ".join(about.split()), WIDTH, break_on_hyphens=False)
    yield from ["", "| text | area, mean | least to most of the draws |", "|---|---:|---:|"]
    for stage, result in results.items():
        yield f"| {stage} | {_mean(result.areas):.4f} | {min(result.areas):.4f} to {max(result.areas):.4f} |"


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def draw(results: Mapping[str, Result], path: Path) -> None:
    """Draws the perplexities of all draws, a row per stage."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "corpusprep"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 2.4), layout="constrained")
    for row, result in enumerate(results.values()):
        axes.plot(result.perplexities, [row] * len(result.perplexities), "o", color="#2a6f97", alpha=0.35)
        axes.plot([_mean(result.perplexities)], [row], "|", color="#2a6f97", markersize=18)
    axes.set_yticks(range(len(results)), list(results))
    axes.invert_yaxis()
    axes.set_xlabel("perplexity of gold text of other hosts (lower is better)")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
