"""The stage `quality`: documents are measured and refused, and all that counts them agrees."""

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner
from support import corpus_fixture as fixture
from support.batch_fixture import Block, Page, write_batch
from support.counting import compute

from corpusprep import languages
from corpusprep.commands import quality, recut
from corpusprep.corpus.documents import corpus_documents
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.io import tsv
from corpusprep.pipeline import DECIDING
from corpusprep.quality.documents import write_quality
from corpusprep.quality.effects import effects
from corpusprep.quality.recut import refilter
from corpusprep.quality.rules import Rule, of_section, rules
from corpusprep.quality.sampling import of_rules
from corpusprep.quality.signals import lacking
from corpusprep.statistics.joined_verdicts import in_corpus, parts
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table

RULES = rules(
    [],
    {"words": 60, "mean_word_length": 4.6},
    {"repeated_lines": 0.01},
    "characters > 600 or digits > 1",
    blocks={"least": {"words": 8}, "expression": "letters > 0.7 or repeats > 0"},
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> fixture.FakeCorpus:
    """A corpus whose documents were measured and refused, with its statistics."""
    corpus = fixture.write(tmp_path_factory.mktemp("corpus"), fixture.draw(seed=5, batches=2, records=60))
    for batch in corpus.batches:
        write_quality(BatchFiles.of(corpus.folder, batch), languages.get("en"), RULES)
    compute(corpus.folder, corpus.folder / "statistics")
    return corpus


def measured(corpus: fixture.FakeCorpus) -> pl.DataFrame:
    """The tables of all batches."""
    return pl.concat(
        read_table(BatchFiles.of(corpus.folder, batch).quality, schemas.QUALITY) for batch in corpus.batches
    )


def test_all_documents_of_the_stage_before_are_measured(made: fixture.FakeCorpus) -> None:
    """On the blocks that stay, a line each."""
    for batch, records in made.batches.items():
        table = read_table(BatchFiles.of(made.folder, batch).quality, schemas.QUALITY)
        kept = {number: page.kept_blocks for number, page in enumerate(records) if page.kept_blocks}
        assert table["record"].to_list() == list(kept)
        texts = ["\n".join(block.text for block in blocks) for blocks in kept.values()]
        assert table["characters"].to_list() == list(map(len, texts))
        assert table["lines"].to_list() == [len(list(filter(str.strip, text.split("\n")))) for text in texts]


def test_the_ledger_balances_and_says_why(made: fixture.FakeCorpus) -> None:
    """The verdicts are those of the first rules; the last row of the sizes is the corpus."""
    verdicts = Counter(measured(made)["verdict"])
    assert {KEPT, "words"} < verdicts.keys()
    total: Counter[tuple[str, str]] = Counter()
    kept: dict[tuple[str, str], int] = {}
    for row in tsv.read(made.folder / "statistics" / "ledger.tsv"):
        total[row["stage"], row["unit"]] += int(row["count"])
        if row["verdict"] == KEPT:
            kept[row["stage"], row["unit"]] = int(row["count"])
        if (row["stage"], row["unit"]) == ("quality", "document"):
            assert verdicts.pop(row["verdict"]) == int(row["count"])
    assert not verdicts
    for unit in ("document", "block", "word"):
        for before, after in pairwise(DECIDING):
            assert total[after, unit] == kept[before, unit]
    last = tsv.read(made.folder / "statistics" / "corpus_size.tsv")[-1]
    assert [last["stage"], *(int(last[f"{unit}s"]) for unit in ("document", "block", "word"))] == [
        "quality",
        *(kept["quality", unit] for unit in ("document", "block", "word")),
    ]
    domains = tsv.read(made.folder / "statistics" / "domains.tsv")
    assert sum(int(row["documents"]) for row in domains) == kept["quality", "document"]
    assert sum(int(row["words"]) for row in domains) == kept["quality", "word"]


def test_rules_and_their_overlap_are_counted(made: fixture.FakeCorpus) -> None:
    """Against a plain count of the stored rules."""
    failed = [rules for rules in measured(made)["failed"].to_list() if rules]
    documents = Counter(rule for rules in failed for rule in rules)
    first = Counter(rules[0] for rules in failed)
    alone = Counter(rules[0] for rules in failed if len(rules) == 1)
    table = tsv.read(made.folder / "statistics" / "filter_rules.tsv")
    assert {row["rule"]: int(row["documents"]) for row in table} == documents
    for row in table:
        assert (int(row["first_documents"]), int(row["alone_documents"])) == (first[row["rule"]], alone[row["rule"]])
    pairs = Counter(frozenset(pair) for rules in failed for pair in combinations(rules, 2))
    overlap = tsv.read(made.folder / "statistics" / "filter_overlap.tsv")
    assert {frozenset((row["rule"], row["other_rule"])): int(row["documents"]) for row in overlap} == pairs
    for row in overlap:
        assert float(row["percent_of_rule"]) == pytest.approx(
            100 * int(row["documents"]) / documents[row["rule"]], abs=0.06
        )


def test_perplexity_is_low_for_words_of_the_language(tmp_path: Path) -> None:
    """Whatever their capitals; there is none without a word, or without a word list."""
    texts = ["The children ran to the river.", "THE CHILDREN RAN TO THE RIVER!", "Qzxw vvkp jjfq.", "12 + 7 = 19"]
    files = write_batch(
        tmp_path, [Page((Block(text),), url=f"http://{place}.example/") for place, text in enumerate(texts)]
    )
    write_quality(files, languages.get("en"), [])
    prose, capitals, noise, none = read_table(files.quality, schemas.QUALITY)["perplexity"].to_list()
    assert none is None
    assert prose == capitals < 5 < 100 < noise
    for code in ("ja", "hi"):
        write_quality(files, languages.get(code), [])
        assert set(read_table(files.quality, schemas.QUALITY)["perplexity"]) == {None}
        assert "perplexity" in lacking(languages.get(code))
    assert lacking(languages.get("en")) == {}


def test_perplexity_divides_the_corpus_in_three(made: fixture.FakeCorpus) -> None:
    """By all documents of the corpus, in order; a value is in one bucket."""
    values = sorted(round(min(value, 100), 2) for value in measured(made)["perplexity"].drop_nulls())
    rows = tsv.read(made.folder / "statistics" / "perplexity.tsv")
    assert [row["bucket"] for row in rows] == ["head", "middle", "tail"]
    assert sum(int(row["documents"]) for row in rows) == len(values)
    seen = 0
    for row, share in zip(rows, (0.3, 0.6, 1.0), strict=True):
        number = int(row["documents"])
        assert float(row["least_perplexity"]) == pytest.approx(values[seen], abs=0.011)
        seen += number
        assert float(row["most_perplexity"]) == pytest.approx(values[seen - 1], abs=0.011)
        assert seen >= share * len(values)
        ties = sum(value == values[seen - 1] for value in values)
        assert seen - ties - 1 <= share * len(values)


def test_refused_documents_are_in_no_corpus(tmp_path: Path) -> None:
    """And their blocks have the verdict of their document."""
    pages = [
        Page((Block("A long text about a river. " * 9), Block("gone", final="duplicate"))),
        Page((Block("Short."),), url="http://b.example/"),
    ]
    files = write_batch(tmp_path, pages)
    assert [document.values["url"] for document in corpus_documents(files)] == [
        "http://a.example/",
        "http://b.example/",
    ]
    write_quality(files, languages.get("en"), rules([], {"words": 9}, {}, ""))
    (document,) = corpus_documents(files)
    assert document.values["url"] == "http://a.example/"
    write_quality(files, languages.get("en"), [])
    assert len(list(corpus_documents(files))) == 2


def test_blocks_of_refused_documents_go_with_them(made: fixture.FakeCorpus) -> None:
    """What stays is what the corpus has."""
    for batch in made.batches:
        for part in parts(BatchFiles.of(made.folder, batch)):
            documents = part.documents.filter(in_corpus())
            blocks = part.blocks.filter(in_corpus())
            assert set(blocks["record"]) == set(documents["record"])
            assert set(documents["quality"]) <= {KEPT}


def test_tables_of_different_runs_are_refused(tmp_path: Path) -> None:
    """The documents of `quality` must be those that `blocks` kept."""
    corpus = fixture.write(tmp_path, fixture.draw(seed=5, batches=1, records=60))
    (batch,) = corpus.batches
    files = BatchFiles.of(corpus.folder, batch)
    write_quality(files, languages.get("en"), [])
    table = read_table(files.quality, schemas.QUALITY)
    write_table(table[1:], schemas.QUALITY, files.quality)
    with pytest.raises(StageFileError, match="not the documents that the stage before kept"):
        list(parts(files))


def test_other_rules_are_tried_on_the_stored_signals(made: fixture.FakeCorpus) -> None:
    """`recut --filter` says what the stage would do with them; without --output it writes nothing."""
    found = effects(made.folder, RULES)
    table = tsv.read(made.folder / "statistics" / "filter_rules.tsv")
    names = ("documents", "words", "alone_documents")
    of_documents = {rule: numbers for rule, numbers in found.of_rules.items() if not rule.startswith("block: ")}
    assert {rule: numbers for rule, numbers in of_documents.items() if numbers[0]} == {
        row["rule"]: tuple(int(row[name]) for name in names) for row in table
    }
    ledger = tsv.read(made.folder / "statistics" / "ledger.tsv")
    words = {row["verdict"]: int(row["count"]) for row in ledger if (row["stage"], row["unit"]) == ("quality", "word")}
    of_blocks = {rule.text: words.get(rule.verdict, 0) for rule in RULES if rule.of_blocks}
    assert {rule: numbers[1] for rule, numbers in found.of_rules.items() if rule.startswith("block: ")} == of_blocks
    assert any(of_blocks.values())
    sizes = tsv.read(made.folder / "statistics" / "corpus_size.tsv")
    assert [(int(row["documents"]), int(row["words"])) for row in sizes[-2:]] == [found.before, found.kept]
    shown = CliRunner().invoke(recut.command, [str(made.folder), "--filter", '{"least": {"words": 60}}'])
    assert shown.exit_code == 0, shown.output
    assert f"of {found.before[0]} documents stay" in shown.output
    for option in (["--length-low", "10"], ["--drop-title"]):
        refused = CliRunner().invoke(recut.command, [str(made.folder), "--filter", '{"least": {"words": 60}}', *option])
        assert isinstance(refused.exception, ConfigError), refused.output
        assert "--filter changes no other threshold: leave out --" in str(refused.exception)
    for wrong, message in (
        ({"most": {"wrds": 1}}, "'wrds' is no signal"),
        ({"signals": True}, "'signals' is unknown"),
        ({"least": {"words": "many"}}, "not as in a config"),
        ({"blocks": {"most": {"wrds": 1}}}, "blocks: most: 'wrds' is no signal"),
        ({"blocks": {"preset": ["c4"]}}, "filter.blocks: 'preset' is unknown"),
    ):
        with pytest.raises(ConfigError, match=message):
            of_section(wrong)


def test_a_corpus_without_signals_cannot_be_tried(tmp_path: Path) -> None:
    """The message says how it gets them."""
    corpus = fixture.write(tmp_path, fixture.draw(batches=1, records=3))
    with pytest.raises(StageFileError, match="build the corpus with filter"):
        effects(corpus.folder, RULES)


def test_the_step_says_which_rules_do_not_apply(tmp_path: Path) -> None:
    """They remove nothing."""
    corpus = fixture.write(tmp_path, fixture.draw(batches=1, records=20))
    (batch,) = corpus.batches
    line = [str(corpus.folder), "--batch", batch, "--preset", "c4", "--least", '{"words": 1000000}']
    line += ["--expression", "characters > 0"]
    shown = CliRunner().invoke(quality.command, [*line, "--model", "ja"])
    assert shown.exit_code == 0, shown.output
    assert (
        shown.stderr.count("Japanese is written without spaces between words: not applied: sentences < 5, words <") == 1
    )
    table = BatchFiles.of(corpus.folder, batch).quality
    assert set(read_table(table, schemas.QUALITY)["verdict"]) == {KEPT}
    assert CliRunner().invoke(quality.command, [*line, "--model", "en"]).stderr == ""
    assert KEPT not in set(read_table(table, schemas.QUALITY)["verdict"])


def test_a_corpus_is_written_with_other_rules(made: fixture.FakeCorpus, tmp_path: Path) -> None:
    """What the stage would write with them; what the rules do not change has a second name, with its date."""
    other = rules(["c4"], {"words": 60}, {}, "")
    refilter(made.folder, tmp_path / "again", other)
    for batch in made.batches:
        before, after = BatchFiles.of(made.folder, batch), BatchFiles.of(tmp_path / "again", batch)
        assert after.blocks.samefile(before.blocks)
        assert not (tmp_path / "again" / "statistics").exists()
        written = [read_table(after.quality, schemas.QUALITY), read_table(after.filter_samples, schemas.FILTER_SAMPLES)]
        write_quality(after, languages.get("en"), other)
        assert written[0].equals(read_table(after.quality, schemas.QUALITY))
        assert written[1].equals(read_table(after.filter_samples, schemas.FILTER_SAMPLES))
        assert not before.quality.samefile(after.quality)
    with pytest.raises(ConfigError, match="exists already"):
        refilter(made.folder, tmp_path / "again", other)


def test_the_nearest_documents_on_both_sides_are_sampled(made: fixture.FakeCorpus) -> None:
    """Against a plain choice over all batches; of an expression, those with the smallest digests."""
    rows = []
    for batch in made.batches:
        files = BatchFiles.of(made.folder, batch)
        digests = read_table(files.tokens, schemas.TOKENS, ["record", "digest", "url"])
        rows += read_table(files.quality, schemas.QUALITY).join(digests, on="record").to_dicts()
    sampled = of_rules(BatchFiles.of(made.folder, batch).filter_samples for batch in made.batches)
    of_documents = [rule for rule in RULES if not rule.of_blocks]
    assert list(sampled) == [rule.text for rule in of_documents]
    for rule in of_documents:
        for side in sampled[rule.text]:

            def order(row: dict[str, Any], rule: Rule = rule) -> tuple[float, str, str]:
                distance = 0 if rule.threshold is None else abs(row[rule.signals[0]] - rule.threshold)
                return distance, row["digest"], row["url"]

            nearest = sorted((row for row in rows if (rule.text in row["failed"]) == side.refused), key=order)[:12]
            values = [None if rule.threshold is None else row[rule.signals[0]] for row in nearest]
            others = [len(row["failed"]) - side.refused for row in nearest]
            expected = list(zip((row["url"] for row in nearest), values, others, strict=True))
            assert [document[1:4] for document in side.documents] == expected
    assert [side.refused for side in sampled["words < 60"]] == [True, False]
    assert all(len(text) <= 302 for sides in sampled.values() for side in sides for *_, text in side.documents)
