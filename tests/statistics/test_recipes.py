"""The recipes of CONTRIBUTING.md for the statistics, carried out in a copy of the package."""

from collections import Counter
from pathlib import Path

import lxml.html
import polars as pl
import pytest
from support import corpus_fixture as fixture
from support.changed_package import copy_package, run_with
from support.markdown import snippets
from support.running import REPOSITORY

from corpusprep.io import tsv
from corpusprep.tables.sealing import seal
from corpusprep.tables.verdicts import KEPT

#: A stage -> the tables with rows for what it kept; the last one decides about documents next.
LATER = {"language": ("tokens", "blocks", "documents"), "documents": ("blocks",)}
#: The declaration of a stage that removes documents.
STAGE = 'Stage("worth", "Remove poor documents.", after="after removing poor documents", removes="poor documents")'
#: Makes the tables and the report of a corpus, and the reference, in a second folder.
MAKE = """
import sys
from pathlib import Path
from reference_pages.files import file_reference
from support.counting import compute
from corpusprep import pipeline
from corpusprep.report import overview
from corpusprep.report.page import render
from corpusprep.statistics.corpus_tables import compute as compute_tables
from corpusprep.statistics.large_tables import make_part

corpus, made = map(Path, sys.argv[1:])
compute(corpus, corpus / "statistics")
parts = [made / f"{part}.parquet" for part in range(2)]
for part, path in enumerate(parts):
    make_part(corpus, part, len(parts), path, 1 << 28)
compute_tables(corpus, made / "statistics", "A", parts=parts)
(made / "report.html").write_text(render(corpus, "made", "en"), encoding="utf-8")
(made / "files.md").write_text(file_reference(), encoding="utf-8")
overview.write([(corpus, "en")], made / "overview.html", made / "corpora.tsv")
step = pipeline.STEPS["statistics tables"]
print(*(pipeline.FILES[name].pattern for name in step.writes), sep="\\n")
"""


def text(element: lxml.html.HtmlElement) -> str:
    """Returns the text of an element, with normalised white space."""
    return " ".join(element.text_content().split())


def test_a_table_takes_three_files(tmp_path: Path) -> None:
    """Its module, its name in the list of tables, and this test: then it is in the files, the report, the reference."""
    [module] = [
        snippet.text for snippet in snippets(REPOSITORY / "CONTRIBUTING.md") if "class Schemes(Table)" in snippet.text
    ]
    named = {'    "domains",\n    "host_sizes",\n': '    "domains",\n    "schemes",\n    "host_sizes",\n'}
    copy_package(tmp_path, {"statistics/schemes.py": module}, {"pipeline/steps.py": named})
    drawn = fixture.draw()
    pages = [record for records in drawn.values() for record in records if record.verdict == KEPT]
    for page in pages[::3]:
        page.url = page.url.replace("https:", "http:")
    made = fixture.write(tmp_path / "made" / "corpus", drawn)

    written = run_with(tmp_path, MAKE, made.folder, tmp_path / "made").splitlines()
    assert "statistics/schemes.tsv" in written
    assert {path.name for path in (made.folder / "statistics").glob("*.tsv")} == {Path(path).name for path in written}
    counts = Counter(page.url.partition(":")[0] for page in pages)
    expected = [{"scheme": scheme, "pages": str(counts[scheme])} for scheme in ("http", "https")]
    assert tsv.read(made.folder / "statistics" / "schemes.tsv") == expected
    for path in (made.folder / "statistics").glob("*.tsv"):
        assert (tmp_path / "made" / "statistics" / path.name).read_bytes() == path.read_bytes()

    page = lxml.html.parse(tmp_path / "made" / "report.html").getroot()
    section = page.get_element_by_id("schemes")
    assert text(section.getparent().find("summary/h2")) == "Schemes"
    assert [[text(cell) for cell in row] for row in section.iter("tr")] == [
        ["scheme", "pages"],
        *([row["scheme"], row["pages"]] for row in expected),
    ]
    reference = (tmp_path / "made" / "files.md").read_text(encoding="utf-8")
    section_of_reference = reference.partition("### schemes.tsv\n")[2].partition("\n### ")[0]
    assert "| `scheme` | `http` or `https` |" in section_of_reference
    assert "| `pages` | number of pages |" in section_of_reference


@pytest.mark.parametrize(("previous", "behind"), [("language", "tokens"), ("documents", "ngrams")])
def test_a_stage_that_removes_documents_needs_no_edit_of_the_statistics(
    tmp_path: Path, previous: str, behind: str
) -> None:
    """Its declaration and its verdicts are all that the ledger, the sizes, the words and the report need."""
    copy_package(
        tmp_path,
        {},
        {
            "pipeline/stages.py": {f'        Stage("{behind}",': f'        {STAGE},\n        Stage("{behind}",'},
            "pipeline/steps.py": {
                '    "vertical": File(': '    "worth": File("worth/{batch}.parquet"),\n    "vertical": File(',
            },
            "tables/verdicts.py": {
                "DOCUMENT_VERDICTS = {\n": 'WORTH_REASONS = {"poor": "a document without much to read"}\n'
                'DOCUMENT_VERDICTS = {\n    "worth": WORTH_REASONS,\n'
            },
        },
    )
    drawn = fixture.draw()
    marked = mark_documents(drawn, previous)
    made = fixture.write(tmp_path / "made" / "corpus", drawn)
    before = fixture.recount_ledger(made)
    remove_documents(made, marked, previous)
    run_with(tmp_path, MAKE, made.folder, tmp_path / "made")

    rows = tsv.read(made.folder / "statistics" / "ledger.tsv")
    ledger = {(row["stage"], row["unit"], row["verdict"]): int(row["count"]) for row in rows}
    poor = [made.batches[batch][number] for batch, numbers in marked.items() for number in numbers]
    good = [block for page in poor for block in page.blocks if block.boilerplate == KEPT and not block.foreign]
    removed = {"document": len(poor), "block": len(good), "word": sum(block.words for block in good)}
    for unit, number in removed.items():
        assert ledger["worth", unit, "poor"] == number > 0
        assert ledger["worth", unit, KEPT] == before[previous, unit, KEPT] - number
        counts = [count for (stage, of, _), count in ledger.items() if (stage, of) == (LATER[previous][-1], unit)]
        assert sum(counts) == ledger["worth", unit, KEPT]
    sizes = {row["stage"]: row for row in tsv.read(made.folder / "statistics" / "corpus_size.tsv")}
    stages = ["crawl", "boilerplate", "language", "documents", "blocks"]
    stages.insert(stages.index(previous) + 1, "worth")
    assert list(sizes) == stages
    assert sizes["worth"]["words"] == str(ledger["worth", "word", KEPT])
    assert bool(sizes["worth"]["tokens"]) == (previous == "documents")
    [duplicates] = tsv.read(made.folder / "statistics" / "exact_duplicates.tsv")
    assert duplicates["documents_before"] == sizes[stages[stages.index("documents") - 1]]["documents"]
    typical = tsv.read(made.folder / "statistics" / "removed_words.tsv")
    assert ("worth", "shoddy") in {(row["stage"], row["word"]) for row in typical}
    page = lxml.html.parse(tmp_path / "made" / "report.html").getroot()
    assert "after removing poor documents" in text(page.get_element_by_id("size"))
    assert "a document without much to read" in text(page.get_element_by_id("losses"))
    assert "worth" in text(page.get_element_by_id("removed-words"))


def mark_documents(drawn: dict[str, list[fixture.Record]], previous: str) -> dict[str, list[int]]:
    """Gives each third document that a stage kept a word of its own; returns their numbers by batch."""
    marked: dict[str, list[int]] = {}
    for batch, records in drawn.items():
        verdicts = [record.language if previous == "language" else record.document for record in records]
        marked[batch] = [number for number, verdict in enumerate(verdicts) if verdict == KEPT][::3]
        for number in marked[batch]:
            good = next(block for block in records[number].blocks if block.boilerplate == KEPT and not block.foreign)
            good.text += " shoddy" * 20
    return marked


def remove_documents(made: fixture.FakeCorpus, marked: dict[str, list[int]], previous: str) -> None:
    """Writes the table of a stage that removes the marked documents, and removes their rows from later tables."""
    (made.folder / "worth").mkdir()
    for batch, numbers in marked.items():
        kept = pl.read_parquet(made.folder / previous / f"{batch}.parquet").filter(verdict=KEPT)
        removed = pl.col("record").is_in(numbers)
        verdict = pl.when(removed).then(pl.lit("poor")).otherwise(pl.lit(KEPT))
        write(made.folder / "worth" / f"{batch}.parquet", kept.select("record", verdict=verdict))
        for stage in LATER[previous]:
            path = made.folder / stage / f"{batch}.parquet"
            write(path, pl.read_parquet(path).filter(~removed))


def write(path: Path, table: pl.DataFrame) -> None:
    """Writes a sealed table."""
    table.write_parquet(path)
    seal(path)
