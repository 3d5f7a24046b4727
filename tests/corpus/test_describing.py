"""Formats that describe a whole corpus: registry, script for CWB, data card, frequency list."""

import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from support.batch_fixture import Block, Page, write_batch
from support.small_statistics import write_statistics

from corpusprep import languages
from corpusprep.archive.batches import Batch
from corpusprep.archive.batches import write_batches as write_plan
from corpusprep.commands.application import application
from corpusprep.corpus.describing import describe, finished_corpus
from corpusprep.corpus.formats import frequencies, sketch
from corpusprep.corpus.formats.interface import FinishedCorpus
from corpusprep.corpus.structures import BLOCK_ATTRIBUTES, DOCUMENT_ATTRIBUTES, SEEN_DOCUMENTS, structures
from corpusprep.corpus.writing import write_corpus
from corpusprep.errors import ConfigError
from corpusprep.io import tsv
from corpusprep.io.files import zstd_chunks, zstd_writer
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.text.vertical import attributes

PAGES = [
    Page((Block("the cat & the dog"), Block("The end.", heading=True)), url="http://a.example/1"),
    Page((Block("the cat"),), url="http://a.example/2"),
    Page((Block("the dog etc."),), url="http://b.example/1"),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of three documents, written as a vertical and as Parquet, with statistics."""
    folder = tmp_path / "My corpus"
    files = write_batch(folder, PAGES)
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(folder, "plan"))
    parquet = files.corpus_vertical.with_name("b00000.parquet")
    write_corpus(files, {"vertical": files.corpus_vertical, "parquet": parquet})
    write_statistics(folder)
    return folder


def run(corpus: Path, *formats: str, more: tuple[str, ...] = ()) -> Path:
    """Runs the command; gives the folder of the files."""
    arguments = ["step", "describe", str(corpus), *(f"--formats={one}" for one in formats), *more]
    done = CliRunner().invoke(application, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return corpus / "corpus"


def test_the_registry_names_what_the_vertical_has(corpus: Path) -> None:
    """All structures and attributes of the vertical, in its order; and the language."""
    text = (run(corpus, "sketch", more=("--language", "en")) / "registry").read_text(encoding="utf-8")
    vertical = b"".join(zstd_chunks(BatchFiles.of(corpus, "b00000").corpus_vertical)).decode()
    for name in ("doc", "p"):
        [inner] = re.findall(rf"^STRUCTURE {name} \{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
        first = next(line for line in vertical.split("\n") if line.startswith(f"<{name} "))
        assert re.findall(r"ATTRIBUTE (\S+)", inner) == list(attributes(first))
    assert 'LANGUAGE "English"' in text
    assert 'PATH "/corpora/my_corpus/indexed/"' in text
    assert "STRUCTURE g {" in text


@pytest.mark.parametrize(("language", "cased"), [("en", True), ("zh", False), ("own", False), ("unknown", True)])
def test_languages_without_capitals_have_no_lower_case(
    language: str, cased: bool, corpus: Path, tmp_path: Path
) -> None:
    """Of built-in languages and of models of a user's own, by their stop lists; without a model, letters have case."""
    if language == "own":
        language = str(tmp_path / "own.model")
        languages.save(replace(languages.get("ja"), code="own"), Path(language))
    text = (run(corpus, "sketch", more=("--language", language)) / "registry").read_text(encoding="utf-8")
    assert ("ATTRIBUTE lc {" in text) is cased
    assert ('NOLETTERCASE "1"\n' in text) is not cased


def test_what_a_tagger_has_added_is_declared(corpus: Path) -> None:
    """Columns, structures with and without attributes: in the registry and for CWB, always in one order."""
    path = BatchFiles.of(corpus, "b00000").corpus_vertical
    text = b"".join(zstd_chunks(path)).decode()
    text = re.sub(r"^(?!</?[a-z].*>$)(.+)$", r"\1\tTAG\tlemma", text, flags=re.MULTILINE)
    text = re.sub(r"(<p [^\n]*\n)", r'\1<s id="1" type="x">\n<np>\n', text).replace("</p>", "</np>\n</s>\n</p>")
    with zstd_writer(path) as stream:
        stream.write(text.encode())
    found = structures([path], ["kind"])
    assert list(found.attributes) == ["doc", "p", "np", "s"]
    assert found.attributes["p"] == ("heading", "block", "kind")
    assert (found.attributes["s"], found.attributes["np"], found.columns) == (
        ("id", "type"),
        (),
        ("column2", "column3"),
    )
    folder = run(corpus, "sketch", "cwb")
    registry = (folder / "registry").read_text(encoding="utf-8")
    assert "ATTRIBUTE word\nATTRIBUTE column2\nATTRIBUTE column3\n" in registry
    assert "STRUCTURE np\n" in registry
    assert re.findall(r"-[PS] (\S+)", (folder / "cwb.sh").read_text(encoding="utf-8"))[2:] == [
        "doc:0+" + "+".join(found.attributes["doc"]),
        "p:0+heading+block",
        "np:0",
        "s:0+id+type",
    ]


def test_own_fields_of_all_documents_are_declared(tmp_path: Path) -> None:
    """Also those that the first documents do not have; of removed documents, too."""
    pages = [Page((Block("First."),))] * SEEN_DOCUMENTS + [
        Page((Block("Last."),), said={"meta": '{"Genre": "letter"}'})
    ]
    files = write_batch(tmp_path / "c", pages)
    write_corpus(files, {"vertical": files.corpus_vertical})
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(tmp_path / "c", "plan"))
    folder = tmp_path / "described"
    folder.mkdir()
    describe(finished_corpus(tmp_path / "c", ["sketch", "cwb"]), folder)
    assert "    ATTRIBUTE meta_genre\n}" in (folder / "registry").read_text(encoding="utf-8")
    assert "+meta_genre \\\n" in (folder / "cwb.sh").read_text(encoding="utf-8")


def test_values_are_no_names_of_attributes(tmp_path: Path) -> None:
    """An address that ends in the name of a parameter and `=` adds no attribute to registry and script."""
    files = write_batch(tmp_path, [Page(url="http://a.example/story.asp?NewsID=25318&Cr=kosovo&Cr1=")])
    write_corpus(files, {"vertical": files.corpus_vertical})
    assert b'Cr1="' in b"".join(zstd_chunks(files.corpus_vertical))
    assert structures([files.corpus_vertical]).attributes == {"doc": DOCUMENT_ATTRIBUTES, "p": BLOCK_ATTRIBUTES}


def test_the_script_for_cwb_runs(corpus: Path, tmp_path: Path) -> None:
    """With programs that stand in for CWB's: the encoder gets the vertical, and the options that the script shows."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "cwb-encode").write_text('#!/bin/sh\necho "$@" > "$2/options"\ncat > "$2/input"\n')
    (programs / "cwb-makeall").write_text('#!/bin/sh\necho "$@" > "$2/made"\n')
    (programs / "zstd").write_text('#!/bin/sh\nshift\nfor file; do echo "$file"; done\n')
    for program in programs.iterdir():
        program.chmod(0o755)
    script = run(corpus, "cwb") / "cwb.sh"
    environment = {"PATH": f"{programs}:/usr/bin:/bin"}
    assert subprocess.run(["sh", script], env=environment, capture_output=True, check=False).returncode == 2
    subprocess.run(["sh", script, tmp_path / "data", tmp_path / "registry"], env=environment, check=True)
    assert (tmp_path / "data" / "input").read_text() == f"{corpus}/corpus/b00000.vert.zst\n"
    assert (
        (tmp_path / "data" / "options").read_text().startswith(f"-d {tmp_path}/data -R {tmp_path}/registry/my_corpus")
    )
    assert (tmp_path / "registry" / "made").read_text() == f"-r {tmp_path}/registry MY_CORPUS\n"


@pytest.mark.skipif(not (shutil.which("cwb-encode") and shutil.which("zstd")), reason="needs CWB and zstd")
@pytest.mark.parametrize(("form", "element"), [("cwb", "doc"), ("cqpweb", "text")])
def test_cwb_encodes_the_corpus(form: str, element: str, corpus: Path, tmp_path: Path) -> None:
    """With all its documents, tokens and attributes; CQPweb finds texts and their identifiers."""
    script = run(corpus, form) / f"{form}.sh"
    subprocess.run(["sh", script, tmp_path / "data", tmp_path / "registry"], check=True, capture_output=True)
    described = subprocess.run(
        ["cwb-describe-corpus", "-r", tmp_path / "registry", "-s", "MY_CORPUS"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert re.search(r"p-ATT word +13 tokens", described)
    assert re.search(rf"s-ATT {element} +3 regions", described)
    decoded = subprocess.run(
        ["cwb-s-decode", "-r", tmp_path / "registry", "-n", "MY_CORPUS", "-S", f"{element}_id"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert decoded.split("\n")[:-1] == pl.read_parquet(corpus / "corpus" / "b00000.parquet")["id"].to_list()


def test_the_metadata_for_cqpweb(corpus: Path) -> None:
    """A line per text, as the vertical has them; classifications are words, without a value `none`."""
    folder = run(corpus, "cqpweb")
    columns = [row["handle"] for row in tsv.read(folder / "cqpweb-columns.tsv")]
    assert columns[:3] == ["language", "year", "url"]
    assert not {"text_id", "words", "cqp_begin", "cqp_end"} & set(columns)  # CQPweb makes columns of these names
    assert all(re.fullmatch(r"\w{1,64}", name, re.ASCII) for name in columns)
    assert len(set(columns)) == len(columns)
    lines = (folder / "cqpweb-metadata.tsv").read_text(encoding="utf-8").split("\n")
    rows = [dict(zip(["id", *columns], line.split("\t"), strict=True)) for line in lines[:-1]]
    vertical = b"".join(zstd_chunks(folder / "b00000.vert.zst")).decode()
    documents = [attributes(line) for line in vertical.split("\n") if line.startswith("<doc ")]
    shared = {"id": "id", "url": "url", "host": "host", "title": "title", "document_words": "words"}
    assert [[row[name] for name in shared] for row in rows] == [
        [one[name] for name in shared.values()] for one in documents
    ]
    for row, one in zip(rows, documents, strict=True):
        assert re.fullmatch(r"[A-Za-z0-9_]+", row["language"])
        assert row["year"] == (one["date"][:4] or "none")


@pytest.mark.skipif(not shutil.which("zstd"), reason="needs zstd")
def test_the_script_for_blacklab_runs(corpus: Path, tmp_path: Path) -> None:
    """With a program that stands in for Java: entities are decoded, where nothing else would be read from them."""
    vertical = corpus / "corpus" / "b00000.vert.zst"
    added = (
        '<doc id="x" title="a &amp; &lt;b&gt; &quot;c&quot;">\n<p>\n&lt;\tx\n&lt;p&gt;\n&quot;&amp;lt;\n</p>\n</doc>\n'
    )
    with zstd_writer(vertical) as stream:
        stream.write(added.encode())
    folder = run(corpus, "blacklab", more=("--columns", "lemma"))
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "java").write_text('#!/bin/sh\necho "$@" > "$5"; cat "$6"/*.vert >> "$5"\n')
    (programs / "java").chmod(0o755)
    environment = {"PATH": f"{programs}:/usr/bin:/bin"}
    script = ["sh", folder / "blacklab.sh"]
    assert subprocess.run(script, env=environment, capture_output=True, check=False).returncode == 2
    subprocess.run([*script, programs, tmp_path / "new" / "index"], env=environment, check=True)
    told, *lines = (tmp_path / "new" / "index").read_text().split("\n")
    assert told.startswith(f"-cp {programs}/*:{programs}/lib/* nl.inl.blacklab.tools.IndexTool create {tmp_path}/new/")
    assert told.endswith(" corpusprep")
    assert lines == [
        '<doc id="x" title="a & &lt;b&gt; &quot;c&quot;">',
        *("<p>", "<\tx", "&lt;p&gt;", '"&lt;', "</p>", "</doc>", ""),
    ]
    description = yaml.safe_load((folder / "corpusprep.blf.yaml").read_text(encoding="utf-8"))
    annotations = description["annotatedFields"]["contents"]["annotations"]
    assert [(one["name"], one["valuePath"]) for one in annotations] == [("word", 1), ("lemma", 2)]
    assert (description["displayName"], description["documentPath"]) == ("My corpus", "doc")


def test_a_language_of_a_crawl_has_the_name_of_the_crawl(corpus: Path) -> None:
    """Its folder is named `en`, as those of all other crawls."""
    folder = corpus.rename(corpus.with_name("en"))
    assert finished_corpus(folder, ["card"]).name == "en"
    (folder.parent / "division.tsv").touch()
    assert finished_corpus(folder, ["card"]).name == f"{folder.parent.name}/en"


def test_the_card_says_what_the_statistics_say(corpus: Path) -> None:
    """Its head is YAML that `datasets` reads; its numbers are those of the tables; no folder is in it."""
    personal = '{"find": [], "mask": ["email"], "replace": "hash", "key": "/home/me/key"}'
    settings = f'{{"tokens": {{"unspaced": "icu", "code": "/home/me"}}, "personal": {personal}}}'
    rows = [("email", 1200, 7), ("phone", 3, 2)]
    tsv.write(corpus / "statistics" / "personal_data.tsv", ("kind", "places", "documents"), rows)
    told = ("--language", "cs", "--licence", "cc0-1.0", "--citation", "Me 2026", "--settings", settings)
    text = (run(corpus, "vertical", "parquet", "card", more=told) / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---\n")[1])
    assert head == {
        "pretty_name": "My corpus",
        "language": ["cs"],
        "license": "cc0-1.0",
        "task_categories": ["text-generation"],
        "size_categories": ["n<1K"],
        "configs": [{"config_name": "default", "data_files": "*.parquet"}],
    }
    assert [path.name for path in (corpus / "corpus").glob(head["configs"][0]["data_files"])] == ["b00000.parquet"]
    assert "A corpus of Web pages in Czech: 3 documents, 12 words, 13 tokens." in text
    assert "| original crawl | 5 | 9 | 1,200 |  |" in text
    assert "| encoding | record | `status` | 1 |" in text
    assert "copyright" not in text
    assert "card, identity. email: replaced by a label with a keyed hash of the value." in text
    assert "| email | 1,200 | 7 | yes |\n| phone | 3 | 2 |  |" in text
    assert "Documents are from 2 hosts." in text
    assert "Me 2026" in text
    assert '"unspaced": "icu"' in text
    assert "/home/me" not in text


def test_local_files_are_parts_of_the_corpus(tmp_path: Path) -> None:
    """Words of one file are clumped, though no file has a host; references are titles, or what there is."""
    for number, (titles, url, short, full) in enumerate(
        [
            (("Own", "Other"), "file:a/{}.html", "=doc.title", "doc.url,doc.date,doc.title"),
            (("", "Other"), "", "=doc.id", "doc.date,doc.title"),
            (("Own", "Other"), "http://a.example/{}", "=doc.host", "doc.url,doc.date,doc.title"),
        ]
    ):
        pages = [
            Page((Block(text),), title=title, url=url.format(place))
            for place, (text, title) in enumerate(zip(("the cat the", "the dog"), titles, strict=True))
        ]
        files = write_batch(tmp_path / str(number) / "c", pages)
        write_corpus(files, {"vertical": files.corpus_vertical})
        corpus = FinishedCorpus("c", [files.corpus_vertical], tmp_path, ["sketch", "frequencies"])
        text = sketch.registry(corpus)
        assert f'SHORTREF "{short}"\nFULLREF "{full}"\n' in text
        frequencies.write(corpus, [tmp_path / "frequencies.tsv"])
        spread = {row["word"]: float(row["dispersion"]) for row in tsv.read(tmp_path / "frequencies.tsv")}
        assert (spread["cat"] > 0.3) == (number != 2)


def test_the_frequency_list(corpus: Path) -> None:
    """Words as they are written, by frequency; documents; dispersion. Its frequencies sum to the tokens."""
    rows = tsv.read(run(corpus, "frequencies") / "frequencies.tsv")
    words = [(row["word"], int(row["frequency"]), int(row["documents"])) for row in rows]
    assert words == [
        *[("the", 4, 3), ("cat", 2, 2), ("dog", 2, 2)],
        *[("&", 1, 1), (".", 1, 1), ("The", 1, 1), ("end", 1, 1), ("etc.", 1, 1)],
    ]
    tokens = pl.read_parquet(corpus / "corpus" / "b00000.parquet")["tokens"].sum()
    assert sum(frequency for _, frequency, _ in words) == tokens == 13
    # Host a has 10 of 13 tokens, host b 3.
    spread = {row["word"]: row["dispersion"] for row in rows}
    assert spread["the"] == f"{(abs(3 / 4 - 10 / 13) + abs(1 / 4 - 3 / 13)) / 2:.4f}"
    assert spread["etc."] == f"{(abs(1 - 3 / 13) + 10 / 13) / 2:.4f}"


def test_the_frequency_list_is_read_as_documented(tmp_path: Path) -> None:
    """Quotation marks, words that mean missing values elsewhere, and numbers are words (docs/formats.md)."""
    files = write_batch(tmp_path / "c", [Page((Block("say \" NA null # 123 ' - = + @x the the"),))])
    write_corpus(files, {"vertical": files.corpus_vertical})
    path = tmp_path / "frequencies.tsv"
    frequencies.write(FinishedCorpus("c", [files.corpus_vertical], tmp_path, ["frequencies"]), [path])
    table = pl.read_csv(path, separator="\t", quote_char=None, schema_overrides={"word": pl.String})
    assert table["word"].to_list() == [row["word"] for row in tsv.read(path)]
    assert {'"', "NA", "null", "#", "123", "'", "-", "="} < set(table["word"])
    assert table["frequency"].sum() == len(tsv.read(path)) + 1


def test_rare_words_are_sorted_as_the_others(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same list with any number of frequencies that are sorted by files, and any number of rows in memory."""
    expected = (run(corpus, "frequencies") / "frequencies.tsv").read_bytes()
    monkeypatch.setattr(frequencies, "RARE", 1)
    monkeypatch.setattr(frequencies, "ROWS_AT_ONCE", 1)
    assert (run(corpus, "frequencies") / "frequencies.tsv").read_bytes() == expected


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=8))
def test_dispersion_is_that_of_gries(parts: list[tuple[int, int]]) -> None:
    """Half the sum of the differences between the shares of the text and of the word, over all parts."""
    sizes = [size + count for size, count in parts]
    frequency = sum(count for _, count in parts)
    if not frequency:
        return
    expected = (
        sum(abs(count / frequency - size / sum(sizes)) for (_, count), size in zip(parts, sizes, strict=True)) / 2
    )
    found = [(number, count, 1) for number, (_, count) in enumerate(parts) if count]
    assert frequencies.dispersion(found, sizes) == pytest.approx(expected)


def test_exported_files_are_described(corpus: Path) -> None:
    """`export` puts the same beside its files, which a pattern of the card finds."""
    arguments = ["export", str(corpus), "--shards", "20", "--formats", "parquet", "--formats", "card"]
    assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
    names = sorted(path.name for path in (corpus / "export").iterdir())
    assert names == ["My corpus-00000.parquet", "My corpus-00001.parquet", "README.md", "SHA256SUMS"]


def test_exported_verticals_are_described_where_those_of_batches_are_gone(corpus: Path) -> None:
    """The workflow removes these if the corpus is divided in another way; the frequency list is the same."""
    expected = (run(corpus, "frequencies") / "frequencies.tsv").read_bytes()
    arguments = ["export", str(corpus), "--shards", "20", "--formats", "vertical"]
    assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
    BatchFiles.of(corpus, "b00000").corpus_vertical.unlink()
    assert (run(corpus, "frequencies") / "frequencies.tsv").read_bytes() == expected


def test_missing_statistics_are_named(corpus: Path) -> None:
    """In one line; no card appears."""
    corpus_file(corpus, "ledger").unlink()
    done = CliRunner().invoke(application, ["step", "describe", str(corpus), "--formats", "card"])
    assert re.fullmatch(r".*statistics/ledger.tsv: no such file; run .*", str(done.exception))
    assert not (corpus / "corpus" / "README.md").exists()


def test_files_do_not_depend_on_the_folder(corpus: Path, tmp_path: Path) -> None:
    """Two descriptions of a corpus, written to other folders, have the same bytes."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        describe(finished_corpus(corpus, ["card", "cwb", "frequencies", "sketch"], language="en"), folder)
    contents = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders]
    assert all(first == second for first, second in pairwise(contents))
    assert len(contents[0]) == 5


def test_verticals_are_checked(corpus: Path) -> None:
    """Faults are named with file and line."""
    good = BatchFiles.of(corpus, "b00000").corpus_vertical
    bad = corpus / "bad.vert.zst"
    with zstd_writer(bad) as stream:
        stream.write(b'<doc id="1">\n<p>\na < b\n</p>\n')
    assert CliRunner().invoke(application, ["check", "vertical", str(good)]).exit_code == 0
    done = CliRunner().invoke(application, ["check", "vertical", str(good), str(bad)])
    assert done.exit_code == 1
    assert f"{bad}: line 3: <, > or & is not escaped" in done.output
    assert "1 of 2 verticals" in str(done.exception)


def test_a_readme_of_the_users_own_stays(corpus: Path, tmp_path: Path) -> None:
    """The data card has the same name; one that was written before is replaced."""
    own = tmp_path / "README.md"
    arguments = ["step", "describe", str(corpus), "--formats", "card", "--formats", "sketch", "--output"]
    own.write_text("mine\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"README.md: exists, and corpusprep has not written it"):
        CliRunner().invoke(application, [*arguments, str(tmp_path)], catch_exceptions=False)
    assert own.read_text(encoding="utf-8") == "mine\n"
    assert not (tmp_path / "registry").exists()
    own.unlink()
    for _ in range(2):
        assert CliRunner().invoke(application, [*arguments, str(tmp_path)], catch_exceptions=False).exit_code == 0
    assert "pretty_name" in own.read_text(encoding="utf-8")
