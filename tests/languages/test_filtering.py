"""Stage `language`, and the commands that make, list and show languages."""

import math
import re
import tempfile
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from support import sentences

from corpusprep import languages
from corpusprep.commands.application import main
from corpusprep.commands.groups import language as kit
from corpusprep.commands.language import command
from corpusprep.config import schema as config_schema
from corpusprep.errors import LanguageError, StageFileError
from corpusprep.languages.filtering import filter_documents
from corpusprep.languages.identifiers import METHODS
from corpusprep.languages.judges import judge_of
from corpusprep.languages.trigrams import trigrams
from corpusprep.tables import good_texts as batch_documents
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table


def tables(*documents, verdicts=None):
    """Pages and blocks: a document is a list of (label, text)."""
    pages = [
        {"batch": "b00000", "record": 7 * number, "verdict": (verdicts or {}).get(number, "kept")}
        for number in range(len(documents))
    ]
    blocks = [
        {"batch": "b00000", "record": 7 * number, "block": place, "label": label, "text": text}
        for number, document in enumerate(documents)
        for place, (label, text) in enumerate(document)
    ]
    keys = {"record": pl.UInt32}
    return pl.DataFrame(pages, schema_overrides=keys), pl.DataFrame(
        blocks, schema_overrides={**keys, "block": pl.UInt32}
    )


def as_written(blocks, folder):
    """Writes the table of blocks as the stage boilerplate does; columns that `language` does not read are invented."""
    made_up = {"heading": False, "words": 1}
    full = blocks.with_columns(
        pl.lit(made_up.get(name)).alias(name) for name in schemas.BOILERPLATE if name not in blocks.columns
    )
    write_table(full, schemas.BOILERPLATE, folder / "blocks.parquet")
    return folder / "blocks.parquet"


def kept(pages, blocks, code="cs", **settings):
    """The table of the stage, for the built-in language and its rivals."""
    model = languages.get(code)
    rivals = settings.get("rivals", [languages.get(rival) for rival in model.rivals])
    threshold = settings.get("threshold", model.threshold)
    with tempfile.TemporaryDirectory() as folder:
        written = as_written(blocks, Path(folder))
        deciding = ("level", "method", "min_words")
        level, method, min_words = (settings.get(name, config_schema.default(f"language.{name}")) for name in deciding)
        judge = judge_of(model, rivals, threshold, method)
        return filter_documents(pages, written, judge, model.code, level, min_words)


class TestFilter:
    def test_verdicts(self):
        """The corpus language, a close one, a distant one."""
        table = kept(*tables([("good", sentences.CZECH)], [("good", sentences.SLOVAK)], [("good", sentences.GREEK)]))
        assert table["verdict"].to_list() == ["kept", "rival_language", "language_score"]
        assert table["rival"][1] == "sk"
        assert table.schema == schemas.LANGUAGE

    def test_a_close_language_is_told_apart(self):
        """Nynorsk, of which there is little text, is not Bokmål."""
        texts = ["Eg veit ikkje kva dei heiter, men dei kom frå same skulen som ho.", sentences.NORWEGIAN]
        table = kept(*tables(*([("good", text)] for text in texts)), code="no")
        assert table["verdict"].to_list() == ["rival_language", "kept"]
        assert table["rival"][0] == "nn"

    def test_only_good_blocks_count(self):
        """Boilerplate in another language does not matter."""
        mixed = [("bad", sentences.ENGLISH), ("good", sentences.CZECH), ("bad", sentences.ENGLISH)]
        table = kept(*tables(mixed, [("good", sentences.CZECH)]))
        assert table["score"][0] == table["score"][1]

    def test_blocks_in_another_language_are_left_out(self):
        """The numbers of the long blocks are listed; short blocks stay, and the rest is judged as the document."""
        texts = [sentences.CZECH, sentences.ENGLISH, "OK", sentences.SLOVAK, "Short English words", sentences.CZECH]
        mixed = [("bad", sentences.CZECH), *(("good", text) for text in texts)]
        pages, blocks = tables(mixed, [("good", sentences.CZECH)])
        table = kept(pages, blocks, level="block")
        assert table["left_out"].to_list() == [[2, 4], []]
        assert table["verdict"].to_list() == ["kept", "kept"]
        rest = [("good", "\n".join([sentences.CZECH, "OK", "Short English words", sentences.CZECH]))]
        assert table["score"][0] == kept(*tables(rest))["score"][0]
        assert kept(pages, blocks)["left_out"].to_list() == [[], []]

    def test_short_documents_are_removed(self):
        """By the words of their good blocks, whatever the language; scores are kept."""
        documents = [[("good", sentences.CZECH)] * 2, [("good", sentences.CZECH), ("bad", sentences.CZECH)]]
        table = kept(*tables(*documents, [("good", sentences.GREEK)]), min_words=2, level="block")
        assert table["verdict"].to_list() == ["kept", "short_document", "short_document"]
        assert table["score"].null_count() == 0
        assert table["left_out"].to_list() == [[], [], []]

    def test_a_document_in_another_language_goes_as_a_whole(self):
        """If no block, or too little text in the language, would be left, its blocks have no verdicts of their own."""
        table = kept(
            *tables([("good", sentences.GREEK)] * 2, [("good", sentences.GREEK), ("good", "λόγος")]), level="block"
        )
        assert table["verdict"].to_list() == ["language_score"] * 2
        assert table["left_out"].to_list() == [[], []]
        whole = [("good", sentences.SLOVAK)] * 2
        assert kept(*tables(whole), level="block").equals(kept(*tables(whole)))

    def test_documents_may_lie_across_parts_of_the_table(self, monkeypatch):
        """The number of rows that are read at once does not change the result."""
        documents = [[("good", line), ("bad", line)] * 3 for line in sentences.CZECH.splitlines()]
        expected = kept(*tables(*documents), level="block")
        for rows in (1, 2, 5, 7):
            monkeypatch.setattr(batch_documents, "ROWS_AT_ONCE", rows)
            assert kept(*tables(*documents), level="block").equals(expected)

    def test_blocks_out_of_order_are_refused(self):
        """The stage boilerplate writes blocks in order; a scattered document would be judged by a part of it."""
        pages, blocks = tables(*([("good", line)] * 2 for line in sentences.CZECH.splitlines()))
        with pytest.raises(StageFileError, match="out of order"):
            kept(pages, blocks.reverse())

    def test_documents_are_the_pages_that_were_kept(self):
        """One row per document, in page order; a document without good text scores 0."""
        good = [("good", sentences.CZECH)]
        table = kept(*tables(good, good, [("bad", "nothing")], verdicts={0: "no_good_block"}))
        assert table["record"].to_list() == [7, 14]
        assert table["verdict"].to_list() == ["kept", "language_score"]
        assert table["score"][1] == 0.0

    def test_the_filter_of_the_thesis_compares_by_the_cosine(self):
        """The score is the cosine of trigram counts and shares; short texts score lower than long ones."""
        texts = [sentences.CZECH, sentences.POLISH, sentences.GREEK, "12345"]
        pages, blocks = tables(*([("good", text)] for text in texts))
        table = kept(pages, blocks, rivals=[], threshold=0.4, method="trigram-similarity")
        assert table["verdict"].to_list() == ["kept", *["language_score"] * 3]
        assert table["score"][3] == 0.0
        model = languages.get("cs").trigrams[0]
        shares = dict(zip(model.keys.tolist(), ((model.weights / 2**20) ** 4).tolist(), strict=True))
        counts = Counter(trigrams(sentences.CZECH)[0].tolist())
        product = sum(count * shares.get(key, 0.0) for key, count in counts.items())
        lengths = [math.hypot(*values.values()) for values in (shares, counts)]
        assert table["score"][0] == pytest.approx(product / math.prod(lengths))

    def test_without_rivals_the_threshold_decides(self):
        """The rival columns are null."""
        table = kept(*tables([("good", sentences.SLOVAK)]), rivals=[], threshold=0.2)
        assert table.row(0, named=True)["verdict"] == "kept"
        assert table["rival"].to_list() == table["rival_score"].to_list() == [None]

    def test_a_score_equal_to_the_threshold_is_kept(self):
        """The threshold is the lowest score kept."""
        pages, blocks = tables([("good", sentences.CZECH)])
        score = kept(pages, blocks)["score"][0]
        assert kept(pages, blocks, threshold=score)["verdict"].to_list() == ["kept"]

    def test_a_rival_with_the_same_score_rejects_nothing(self):
        """A document goes if it scores higher for a rival; the language is its own rival here."""
        for method in METHODS:
            table = kept(*tables([("good", sentences.CZECH)]), rivals=[languages.get("cs")], threshold=0, method=method)
            assert table["rival_score"].to_list() == table["score"].to_list()
            assert table["verdict"].to_list() == ["kept"]

    def test_no_documents_give_an_empty_table(self):
        """An empty batch is valid."""
        pages, blocks = tables([("good", "x")], verdicts={0: "no_text"})
        assert kept(pages, blocks).schema == schemas.LANGUAGE


@pytest.fixture
def stage_files(tmp_path):
    """A batch of two documents, as the stage boilerplate writes it."""
    pages, blocks = tables([("good", sentences.CZECH)], [("good", sentences.GREEK)])
    full = pages.with_columns(pl.lit(None).alias(name) for name in schemas.PAGES if name not in pages.columns)
    write_table(full, schemas.PAGES, tmp_path / "pages" / "b00000.parquet")
    written = as_written(blocks, tmp_path)
    (tmp_path / "boilerplate").mkdir()
    written.rename(tmp_path / "boilerplate" / "b00000.parquet")
    return tmp_path


class TestCommand:
    def run(self, *arguments):
        return CliRunner().invoke(command, list(map(str, arguments)))

    def run_kit(self, *arguments):
        return CliRunner().invoke(kit, list(map(str, arguments)))

    def test_writes_the_table(self, stage_files):
        """With a built-in language and the rivals that it names."""
        result = self.run(
            stage_files, "--batch", "b00000", "--model", "cs",
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        table = read_table(stage_files / "language" / "b00000.parquet", schemas.LANGUAGE)
        assert table["verdict"].to_list() == ["kept", "language_score"]

    def test_takes_models_rivals_and_threshold(self, stage_files):
        """A model file as language and as rival."""
        for code in ("cs", "el"):
            assert self.run_kit("make", code, "--output", stage_files / f"{code}.model").exit_code == 0
        result = self.run(
            stage_files, "--batch", "b00000",
            "--model", stage_files / "cs.model", "--rival", stage_files / "el.model", "--threshold", 0,
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        table = read_table(stage_files / "language" / "b00000.parquet", schemas.LANGUAGE)
        assert table["verdict"].to_list() == ["kept", "rival_language"]
        assert set(table["rival"]) == {"el"}

    def test_a_missing_option_is_named(self):
        """The message names the option."""
        result = self.run("corpus", "--model", "cs")
        assert result.exit_code == 2
        assert "--batch" in result.output

    def test_makes_a_language_of_a_text(self, tmp_path):
        """An alias gives the language; a sample in another encoding than UTF-8 is refused."""
        (tmp_path / "old.txt").write_bytes(sentences.CZECH.encode("windows-1250"))
        result = CliRunner().invoke(
            kit, ["make", "zz", "--text", str(tmp_path / "old.txt"), "--output", str(tmp_path / "zz.model")]
        )
        assert "old.txt: the sample is not utf-8" in str(result.exception)
        assert not (tmp_path / "zz.model").exists()
        assert self.run_kit("make", "no", "--output", tmp_path / "no.model").exit_code == 0
        assert languages.load(tmp_path / "no.model").code == "nb"

    def test_makes_a_language_of_pages(self, tmp_path):
        """Uses the running text, without menus, in the declared encoding; pages and texts can be combined."""
        letters = "".join(chr(code) for code in range(0x430, 0x450))
        words = [letters[k : k + 3] for k in range(29)]
        text = " ".join(words[(k * k + k // 7) % 29] for k in range(6000))
        menu = "".join(f"<li><a>{'навигация' * 20}</a>" for _ in range(50))
        page = f"<meta charset=koi8-r><ul>{menu}</ul><p>{text}</p><p>кратко</p>"
        (tmp_path / "a.html").write_bytes(page.encode("koi8-r"))
        (tmp_path / "b.txt").write_text(text, encoding="utf-8")
        result = self.run_kit(
            "make", "zz", "--html", tmp_path / "a.html", "--text", tmp_path / "b.txt", "--coverage", 0.3,
            "--output", tmp_path / "zz.model",
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        model = languages.load(tmp_path / "zz.model")
        assert model.origin == "text: b.txt; html: a.html, 12,000 words"
        assert set(model.stop_list) < set(words)

    @pytest.mark.parametrize(
        ("content", "arguments", "complaint"),
        [
            (b"<meta charset=utf-8>\xe1\xe9", (), "page.html: the sample is not utf-8: 2 places"),
            (b"\xe1\xe9", (), "it declares no encoding"),
            (b"x", ("--sample-encoding", "latin-nonsense"), "page.html: latin-nonsense is not a label"),
            (b"<p>too little", (), "too small: it has 0 words"),
        ],
    )
    def test_a_page_that_is_no_sample_is_refused(self, tmp_path, content, arguments, complaint):
        """The message gives the reason."""
        (tmp_path / "page.html").write_bytes(content)
        result = self.run_kit(
            "make", "zz", "--html", tmp_path / "page.html", *arguments, "--output", tmp_path / "zz.model"
        )  # fmt: skip
        assert result.exit_code == 1
        assert re.search(complaint, str(result.exception))
        assert not (tmp_path / "zz.model").exists()

    def test_lists_and_shows(self):
        """Every language with its names; one with its sizes."""
        rows = [line.split() for line in self.run_kit("list").output.splitlines()]
        assert len(rows) == len(languages.known())
        assert "nb Norwegian Bokmål no nob nor windows-1252 iso-8859-15".split() in rows
        assert "sh Serbo-Croatian hr sr bs hbs hrv srp bos cnr".split() in [row[:10] for row in rows]
        shown = self.run_kit("show", "en").output
        assert "319 words: the to and of" in shown
        assert "wordfreq" in shown

    def test_an_unknown_language_ends_in_one_line(self, capsys, tmp_path):
        """Like every user error."""
        with pytest.raises(SystemExit):
            main(["language", "show", "xx"])
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert error.startswith("corpusprep: error: unknown language 'xx'; built in: af, am")
        assert "make xx --text FILE --output xx.model;" in error

    def test_a_file_is_not_named_as_the_code_of_a_new_model(self):
        """`--language README.md` is a slip; README.md.model would be another."""
        with pytest.raises(LanguageError, match=r"'README.md'.* make CODE --text FILE --output CODE.model;"):
            languages.get("README.md")
