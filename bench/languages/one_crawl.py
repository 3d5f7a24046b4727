"""Compares one pass over archives for many languages with a corpus of each language on its own.

    bench one-crawl --language cs --language en ARCHIVE…

Runs the page stages (encoding, boilerplate and the language of documents) once for all languages and once for each of
those that --language names. Writes the CPU seconds, then for each language the pages that both keep and those that only
one of them keeps, with the cause:

- encoding: the page was decoded in another encoding;
- blocks: other blocks are good, because the stop list was that of another language;
- language: the good text is the same, and another language has it.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import running

from corpusprep import languages
from corpusprep.archive import batches
from corpusprep.io.times import read_times
from corpusprep.tables.verdicts import KEPT

KEY = "record"
#: Of a page, before it is in a corpus; `languages split` is that of a crawl for `language`.
STAGES = ("encoding", "boilerplate", "language")


def main(prog: str, arguments: Sequence[str]) -> None:
    """Runs the comparison."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("--language", action="append", dest="codes", required=True, help="a language that is compared")
    parser.add_argument(
        "--known", type=int, default=len(languages.known()), help="languages of the pass over all (%(default)s)"
    )
    parser.add_argument("archives", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="one-crawl-") as name:
        folder = Path(name)
        paths = [path.resolve() for path in options.archives]
        one = one_pass(folder, paths, _known(options.codes, options.known))
        print(f"{'one pass, ' + str(len(_known(options.codes, options.known))):<16}{_spent(one)}")
        rows = []
        for code in options.codes:
            own = own_pass(folder, paths, code)
            print(f"{'on its own, ' + code:<16}{_spent(own)}")
            rows.append((code, differences(one, own, code)))
        columns = ("both", "only one pass", "only on its own")
        causes = sorted({cause for _, found in rows for cause in found} - set(columns))
        print("\t".join(("language", *columns, *causes)))
        for code, found in rows:
            print("\t".join((code, *(str(found[name]) for name in (*columns, *causes)))))


def _known(codes: Sequence[str], most: int) -> list[str]:
    """Returns these languages, and others up to that many."""
    others = [code for code in languages.known() if code not in codes]
    return sorted([*codes, *others][: max(most, len(codes))])


def one_pass(folder: Path, archives: Sequence[Path], known: Sequence[str]) -> Path:
    """Runs the page stages for all languages; returns the folder of the crawl."""
    crawl, models = folder / "one", folder / "models"
    rivals = {rival for one in known for rival in languages.get(one).rivals}
    for code in sorted({*known, *rivals}):
        languages.save(languages.get(code), models / f"{code}.model")
    batch = _plan(crawl, archives)
    _pages(crawl, batch, archives, models)
    asked = json.dumps({code: {} for code in known})
    where = [str(crawl), "--batch", batch, "--models", str(models), "--languages", asked]
    _run(crawl, "language", ["step", "languages", "split", *where])
    return crawl


def own_pass(folder: Path, archives: Sequence[Path], code: str) -> Path:
    """Runs the page stages for one language; returns the folder of its corpus."""
    corpus, model = folder / code, folder / "models" / f"{code}.model"
    languages.save(languages.get(code), model)
    batch = _plan(corpus, archives)
    _pages(corpus, batch, archives, model)
    rivals = [folder / "models" / f"{rival}.model" for rival in languages.get(code).rivals]
    for rival in rivals:
        languages.save(languages.get(rival.stem), rival)
    options = [word for rival in rivals for word in ("--rival", str(rival))]
    where = [str(corpus), "--batch", batch, "--model", str(model)]
    _run(corpus, "language", ["step", "language", *where, *options])
    return corpus


def _plan(folder: Path, archives: Sequence[Path]) -> str:
    """Writes the plan of one batch and returns its name."""
    (batch,) = batches.plan(archives, 1 << 40)
    batches.write_batches([batch], folder / "batches.tsv")
    return batch.name


def _pages(folder: Path, batch: str, archives: Sequence[Path], model: Path) -> None:
    where = [str(folder), "--batch", batch, "--model", str(model)]
    _run(
        folder,
        "encoding",
        ["step", "encoding", *where, *(word for path in archives for word in ("--archive", str(path)))],
    )
    _run(folder, "boilerplate", ["step", "boilerplate", *where])


def _run(folder: Path, stage: str, command: Sequence[str]) -> None:
    (folder / "times" / stage).mkdir(parents=True, exist_ok=True)
    running.run_corpusprep(["--times", str(folder / "times" / stage / "job.tsv"), *command], folder)


def seconds(folder: Path) -> float:
    """Returns the CPU seconds of the page stages."""
    return sum(read_times(folder / "times" / stage).cpu_seconds for stage in STAGES)


def _spent(folder: Path) -> str:
    """Returns the CPU seconds of the page stages, in all and of each."""
    each = (f"{stage} {read_times(folder / 'times' / stage).cpu_seconds:.2f}" for stage in STAGES)
    return f"{seconds(folder):8.2f} s CPU: {', '.join(each)}"


def differences(one: Path, own: Path, code: str) -> Counter[str]:
    """Counts the pages of a language that both passes keep, that only one keeps, and the causes."""
    kept = set(_table(own, "language").filter(verdict=KEPT)[KEY])
    found = set(_table(one, "found").filter((pl.col("corpus") == code) & ~pl.col("mixed"))[KEY])
    encodings = [dict(_table(where, "encoding").select(KEY, "encoding").iter_rows()) for where in (one, own)]
    texts = [_good_texts(where) for where in (one, own)]
    counts: Counter[str] = Counter()
    for record in kept | found:
        named = (
            "both" if record in kept and record in found else "only one pass" if record in found else "only on its own"
        )
        counts[named] += 1
        if encodings[0].get(record) != encodings[1].get(record):
            counts["encoding differs"] += 1
        elif texts[0].get(record) != texts[1].get(record):
            counts["blocks differ"] += 1
        elif named != "both":
            counts["language differs"] += 1
    return counts


def _table(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder / name / "*.parquet")


def _good_texts(folder: Path) -> dict[int, int]:
    """Returns a hash of the good text of each page."""
    rows = _table(folder, "boilerplate").filter(label="good").group_by(KEY, maintain_order=True)
    return dict(rows.agg(pl.col("text").str.join("\n").hash(0)).iter_rows())
