"""The stage `ngrams`: from verticals to the keys of duplicate n-grams, by function and by command."""

import itertools
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result
from deduplication import suffix_sort
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.corpus_layout import link, write_lists

from corpusprep._native import ngrams as native
from corpusprep.commands import ngrams as stage
from corpusprep.dedup import duplicate_ngrams as steps
from corpusprep.dedup.all_ngrams import DuplicateCounts, count_duplicates, write_keys
from corpusprep.dedup.ngram_keys import NgramKeys, join_parts
from corpusprep.dedup.ngram_words import count_words, join_lexicons, make_lexicon
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.io.files import zstd_writer
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, bundle_file, corpus_file
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table
from corpusprep.text.tokenizer import escape_token

Document = list[str]
#: More than the tests' own process holds, whatever else runs in it.
PLENTY = 4 * 10**9
STOP_WORDS = ("the", "of")


def write_batch(folder: Path, name: str, documents: Sequence[Document], dropped: Sequence[int] = ()) -> None:
    """A batch's vertical, and its documents with some of them dropped."""
    with zstd_writer(folder / f"{name}.vert.zst") as stream:
        for number, document in enumerate(documents):
            tokens = map(escape_token, document)
            lines = [f'<doc id="{name}-{number}">', '<p heading="0">', *tokens, "</p>", "</doc>", ""]
            stream.write("\n".join(lines).encode())
    numbers = range(len(documents))
    table = pl.DataFrame(
        {
            "batch": name,
            "record": numbers,
            "document": numbers,
            "verdict": ["exact_duplicate" if number in dropped else KEPT for number in numbers],
            "duplicate_of": "",
            "rank": numbers,
        },
        schema=schemas.DOCUMENTS,
    )
    write_table(table, schemas.DOCUMENTS, folder / f"{name}.parquet")


def write_corpus(folder: Path, batches: Sequence[Sequence[Document]]) -> list[str]:
    """Batches and their list; each has a row for each of two archives."""
    names = [f"b{number:05d}" for number in range(len(batches))]
    for name, documents in zip(names, batches, strict=True):
        write_batch(folder, name, documents)
    rows = [f"{name}\tarchive-{archive}.warc.gz\t1" for name in names for archive in (1, 2)]
    (folder / "batches.tsv").write_text("\n".join(["batch\tarchive\tbytes", *rows]) + "\n", encoding="utf-8")
    return names


def count(verticals: list[Path], documents: list[Path] | None, words: Path, memory: int = PLENTY) -> None:
    """Counts words; tokens and keys are written beside the word list."""
    beside = {"tokens": words.with_suffix(".tokens"), "keys": words.with_suffix(".keys")}
    count_words(verticals, documents, words, memory, n=10, **beside)


def find(
    folder: Path,
    names: Sequence[str],
    n: int = 3,
    memory: int = PLENTY,
    chunk_tokens: int | None = None,
    merged_at_once: int = 100,
    keys_at_once: int | None = None,
    method: str = "hash",
    threads: int = 1,
    bundled: int = 1,
    parts: int = 1,
) -> Path:
    """Runs the steps over batches in `folder` and returns the file of keys.

    So many batches are a bundle, named by its first.
    """
    lexicon, candidates = folder / "corpus.lex", folder / "candidates"
    bundles = {names[first]: names[first : first + bundled] for first in range(0, len(names), bundled)}
    verticals = {name: [folder / f"{batch}.vert.zst" for batch in part] for name, part in bundles.items()}
    documents = {name: [folder / f"{batch}.parquet" for batch in part] for name, part in bundles.items()}
    for name in bundles:
        word_list, tokens = folder / f"{name}.words", folder / f"{name}.tokens"
        if method == "suffix-sort":
            suffix_sort.count_words(verticals[name], documents[name], word_list, tokens, STOP_WORDS)
            continue
        count_words(
            verticals[name],
            documents[name],
            word_list,
            memory,
            tokens=tokens,
            keys=folder / f"{name}.keys",
            n=n,
            stop_words=STOP_WORDS,
            threads=threads,
            parts=parts,
        )
    lexicons, filters = ([folder / f"{part}{ending}" for part in range(parts)] for ending in (".lex", ".candidates"))
    for part in range(parts):
        make_lexicon([folder / f"{name}.words" for name in bundles], lexicons[part], memory, part=part, parts=parts)
        if method == "hash":
            keys = [folder / f"{name}.keys" for name in bundles]
            steps.make_candidates(keys, filters[part], memory, threads=threads, part=part, parts=parts)
    join_lexicons(lexicons, lexicon)
    if method == "hash":
        steps.join_candidates(filters, candidates)
    for name in bundles:
        tokens, runs = folder / f"{name}.tokens", folder / f"{name}.runs"
        if method == "suffix-sort":
            suffix_sort.sort_ngrams(tokens, lexicon, runs, memory, n, chunk_tokens, parts)
            continue
        steps.make_stream_runs(
            tokens, lexicon, candidates, runs, memory=memory, n=n, chunk_tokens=chunk_tokens, parts=parts
        )
    merged = [folder / (f"{part}.keys" if parts > 1 else "duplicates.keys") for part in range(parts)]
    for part, output in enumerate(merged):
        steps.merge_duplicates(
            [folder / f"{name}.runs" for name in bundles],
            lexicon,
            output,
            memory,
            part=part,
            parts=parts,
            bundles=output.with_suffix(".bundles") if parts > 1 else None,
            merged_at_once=merged_at_once,
            keys_at_once=keys_at_once,
        )
    if parts > 1:
        join_parts(merged, folder / "duplicates.keys")
    return folder / "duplicates.keys"


def oracle(documents: Sequence[Document], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of words that are neither stop words nor punctuation occurs."""
    ngrams: Counter[tuple[str, ...]] = Counter()
    for document in documents:
        tokens = [token for token in document if token not in STOP_WORDS and token[0].isalnum()]
        ngrams.update(zip(*(tokens[start:] for start in range(n)), strict=False))
    return ngrams


def assert_duplicates(path: Path, documents: Sequence[Document], n: int) -> None:
    """The keys are those of a plain count of the documents."""
    ngrams = oracle(documents, n)
    expected = {
        native.ngram_key(word.encode() for word in ngram): count for ngram, count in ngrams.items() if count > 1
    }
    keys = NgramKeys.open(path)
    assert dict(zip(keys.keys.tolist(), keys.counts.tolist(), strict=True)) == expected
    assert keys.n == n
    assert keys.instances == sum(expected.values())
    assert keys.ngrams == ngrams.total()
    assert keys.tokens == oracle(documents, 1).total()


def text(seed: int, tokens: int, words: int = 40) -> Document:
    """Seeded text in which n-grams recur."""
    chooser = random.Random(seed)
    vocabulary = ["the", "of", ".", ",", *(f"w{number}" for number in range(words))]
    return chooser.choices(vocabulary, k=tokens)


def command(*arguments: object) -> Result:
    """The result of `corpusprep step ngrams …`; errors are raised. The tests' own memory counts as its memory."""
    memory = {name: {"memory": str(PLENTY)} for name in stage.command.commands}
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(stage.command, words, catch_exceptions=False, default_map=memory)


def as_corpus(folder: Path, names: Sequence[str]) -> list[object]:
    """The verticals and tables of `folder` as a corpus, as options of a command."""
    corpus = folder / "corpus"
    write_lists(corpus, names)
    for name in names:
        files = BatchFiles.of(corpus, name)
        link(folder / f"{name}.vert.zst", files.vertical)
        link(folder / f"{name}.parquet", files.documents)
    return [corpus]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(
    documents=st.lists(
        st.lists(st.sampled_from(["a", "b", "c", "the", ".", "éa"]), max_size=25), min_size=1, max_size=10
    ),
    cuts=st.sets(st.integers(0, 10), max_size=4),
    n=st.integers(1, 5),
    chunk_tokens=st.integers(1, 50),
    merged_at_once=st.integers(2, 4),
    keys_at_once=st.integers(1, 20),
    method=st.sampled_from(["hash", "suffix-sort"]),
    bundled=st.integers(1, 3),
    parts=st.sampled_from([1, 2, 3, 5, 40]),
)
def test_any_split_of_the_corpus_gives_the_same_file(
    tmp_path_factory: pytest.TempPathFactory,
    documents: list[Document],
    cuts: set[int],
    n: int,
    chunk_tokens: int,
    merged_at_once: int,
    keys_at_once: int,
    method: str,
    bundled: int,
    parts: int,
) -> None:
    """The keys are those of the oracle, byte by byte, for any batches, bundles, parts, chunks, merges and method."""
    whole = tmp_path_factory.mktemp("whole")
    plain = find(whole, write_corpus(whole, [documents]), n, method="suffix-sort")
    assert_duplicates(plain, documents, n)
    places = [0, *sorted(cuts), len(documents)]
    batches = [documents[start:end] for start, end in itertools.pairwise(places)]
    split = tmp_path_factory.mktemp("split")
    names = write_corpus(split, batches)
    path = find(
        split, names, n, PLENTY, chunk_tokens, merged_at_once, keys_at_once, method, bundled=bundled, parts=parts
    )
    assert path.read_bytes() == plain.read_bytes()
    assert (split / "corpus.lex").read_bytes() == (whole / "corpus.lex").read_bytes()


def test_filters_of_parts_are_joined_into_that_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte by byte, for any number of parts and threads, also where runs are merged in rounds."""
    names = write_corpus(tmp_path, [[text(number, 2_000)] for number in range(4)])
    find(tmp_path, names)
    whole = (tmp_path / "candidates").read_bytes()
    monkeypatch.setattr(steps.plans, "MOST_MERGED", 2)
    for parts, threads in ((2, 1), (7, 3)):
        find(tmp_path, names, parts=parts, threads=threads)
        assert (tmp_path / "candidates").read_bytes() == whole


def test_methods_agree_where_words_and_filters_come_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sections of the stream in mid-document, full partitions and parts of the filter make no difference."""
    rare = [[f"{number * 7919:x}" for number in range(start, start + 40_000)] for start in (0, 20_000)]
    batches = [[*rare, text(7, 1000) * 5], [text(7, 1000), ["w1"] * 5_000]]
    names = write_corpus(tmp_path, batches)
    found = find(tmp_path, names, 5, method="suffix-sort")
    assert_duplicates(found, [*batches[0], *batches[1]], 5)
    whole = found.read_bytes()
    parts = []
    write = native.merge_words
    monkeypatch.setattr(native, "merge_words", lambda lists, *rest: parts.append(len(lists)) or write(lists, *rest))
    budget = steps.limits.budget
    monkeypatch.setattr(
        steps.limits, "budget", lambda *rest: 900_000 if rest[2].startswith("counting the words") else budget(*rest)
    )
    monkeypatch.setattr(steps.plans, "held_filter", lambda *_: 1 << 14)
    assert find(tmp_path, names, 5, parts=3).read_bytes() == whole
    assert len(parts) > 2
    assert sum(len(native.read_keys_header(tmp_path / f"{name}.keys").runs) for name in names) > 1


def test_parts_that_do_not_belong_together_are_an_error(tmp_path: Path) -> None:
    """Runs for another number of parts, and parts in the wrong order or of other n-grams."""
    names = write_corpus(tmp_path, [[text(1, 300), text(1, 300)]])
    find(tmp_path, names, parts=2)
    runs, lexicon = [tmp_path / f"{names[0]}.runs"], tmp_path / "corpus.lex"
    with pytest.raises(StageFileError, match=r"made for --parts 2, not 3; run `ngrams runs` again"):
        steps.merge_duplicates(runs, lexicon, tmp_path / "none", PLENTY, parts=3)
    with pytest.raises(StageFileError, match=r"made for --parts 2, not 3; run `ngrams words` again"):
        steps.make_candidates([tmp_path / f"{names[0]}.keys"], tmp_path / "none", PLENTY, parts=3)
    with pytest.raises(StageFileError, match=r"1\.candidates: not the filter of this part"):
        steps.join_candidates([tmp_path / f"{part}.candidates" for part in (1, 0)], tmp_path / "none")
    first, second = tmp_path / "0.keys", tmp_path / "1.keys"
    with pytest.raises(StageFileError, match=r"0\.keys: not a part of the n-grams of .*1\.keys"):
        join_parts([second, first], tmp_path / "none")
    find(tmp_path / "other", write_corpus(tmp_path / "other", [[text(2, 200) * 2]]), parts=2)
    with pytest.raises(StageFileError, match=r"other/1\.keys: not a part of the n-grams of"):
        join_parts([first, tmp_path / "other" / "1.keys"], tmp_path / "none")


def test_commands_find_what_the_functions_find(tmp_path: Path) -> None:
    """The five commands find the duplicate 10-grams, with all defaults except which tokens count."""
    shared = text(1, 60)
    documents = [text(2, 50) + shared, shared, text(3, 80)]
    names = write_corpus(tmp_path, [documents[:1], documents[1:]])
    corpus = as_corpus(tmp_path, names)
    counting = ["--model", "en", "--count-stopwords", "--count-punctuation"]
    for name in names:
        assert command("words", *corpus, "--bundle", name, *counting).exit_code == 0
    assert "lexicon: 250 tokens, 44 words" in command("lexicon", *corpus).stderr
    assert "candidates: 51 of 223 n-grams" in command("candidates", *corpus).stderr
    for name in names:
        command("runs", *corpus, "--bundle", name)
    result = command("merge", *corpus)
    assert "duplicate n-grams: 51, 102 instances; 0 share the key of another" in result.stderr
    opened = NgramKeys.open(corpus_file(tmp_path / "corpus", "duplicates"))
    assert (opened.n, opened.count, opened.tokens) == (10, 51, 250)


def test_stop_words_are_those_of_the_model(tmp_path: Path) -> None:
    """With a language and the defaults, n-grams run across its stop words and punctuation."""
    names = write_corpus(tmp_path, [[["The", "lawn", ",", "the", "hedge"], ["lawn", "and", "hedge", "lawn"]]])
    corpus = as_corpus(tmp_path, names)
    assert command("words", *corpus, "--bundle", names[0], "--model", "en", "--n", 2).exit_code == 0
    assert command("lexicon", *corpus).exit_code == 0
    assert command("candidates", *corpus).exit_code == 0
    assert command("runs", *corpus, "--bundle", names[0], "--n", 2).exit_code == 0
    header = native.read_runs_header(bundle_file(tmp_path / "corpus", "runs", names[0]))
    assert (header.tokens, header.ngrams) == (5, 3)
    assert [count for run in header.runs for _, count in native.read_run(run, 2)] == [2]


def test_documents_that_were_dropped_do_not_count(tmp_path: Path) -> None:
    """N-grams of exact duplicates are not counted."""
    document = text(4, 40)
    write_corpus(tmp_path, [[]])
    write_batch(tmp_path, "b00000", [document, document, text(5, 40)], dropped=[1])
    for method in ("hash", "suffix-sort"):
        assert_duplicates(find(tmp_path, ["b00000"], 4, method=method), [document, text(5, 40)], 4)
    write_keys([tmp_path / "b00000.vert.zst"], [tmp_path / "b00000.parquet"], tmp_path / "all", memory=PLENTY, n=4)
    assert count_duplicates([tmp_path / "all"], tmp_path, PLENTY) == DuplicateCounts(4, 80, 0, 0)


@pytest.mark.parametrize("method", ["hash", "suffix-sort"])
def test_escaped_tokens_are_read_as_they_are_in_the_text(tmp_path: Path, method: str) -> None:
    """Keys are those of the tokens, also of such that look like structures or entities."""
    tokens = ["<", "a", "AT&T", "&lt;", "<p>", "b", "</doc>", "x&y", "&amp;", ">", "c", "&", "d"]
    documents = [tokens, tokens[2:], ["&lt;", "<p>", "b"], ["<", "<p>", "b"]]
    write_batch(tmp_path, "b00000", documents)
    assert_duplicates(find(tmp_path, ["b00000"], 3, method=method), documents, 3)


def test_words_that_do_not_fit_are_counted_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Word lists are the same if the memory holds few words at a time, and no other file remains."""
    documents = [[f"{number * 7919:x}" for number in range(start, start + 50_000)] for start in (0, 30_000)]
    write_batch(tmp_path, "b", documents)
    vertical, kept = tmp_path / "b.vert.zst", tmp_path / "b.parquet"
    count([vertical], [kept], tmp_path / "whole.words")
    parts = []
    write = native.merge_words
    monkeypatch.setattr(native, "merge_words", lambda lists, *rest: parts.append(len(lists)) or write(lists, *rest))
    monkeypatch.setattr(steps.limits, "budget", lambda *_: 200_000 + 4 * native.MIN_CAPACITY)
    monkeypatch.setattr(steps, "MERGE_BUFFER", 50_000)
    monkeypatch.setattr(steps.plans, "MERGE_BUFFER", 50_000)
    count([vertical], [kept], tmp_path / "parts.words")
    assert len(parts) > 1
    assert (tmp_path / "parts.words").read_bytes() == (tmp_path / "whole.words").read_bytes()
    written = [f"{name}.{kind}" for name in ("parts", "whole") for kind in ("keys", "tokens", "words")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.parquet", "b.vert.zst", *written]


def run_step(folder: Path, memory: int, *arguments: object) -> tuple[str, int]:
    """Runs a command in its own process; returns its messages and its peak memory in bytes."""
    times = folder / "times.tsv"
    line = [sys.executable, "-m", "corpusprep", "--times", times, "step", "ngrams", *arguments, "--memory", memory]
    done = subprocess.run([str(part) for part in line], check=False, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done.stderr, int(float(times.read_text("utf-8").split()[-1]) * 2**20) if times.exists() else 0


@pytest.mark.slow
def test_jobs_stay_within_their_memory(tmp_path: Path) -> None:
    """With little more memory than the words need, every job keeps the limit; with much more, the keys are the same."""
    article = text(6, 600_000, 30_000)
    documents = [article[start:end] for start, end in [(0, 500_000), (400_000, 600_000)] * 4]
    (name,) = write_corpus(tmp_path, [documents])
    corpus = as_corpus(tmp_path, [name])
    words = ["words", *corpus, "--bundle", name, "--model", "en", "--n", 3]
    runs = ["runs", *corpus, "--bundle", name, "--n", 3]
    of_corpus = [words, ["lexicon", *corpus], ["candidates", *corpus], runs, ["merge", *corpus]]
    for step in of_corpus:
        needed = re.search(r"at least (\d+)M", run_step(tmp_path, 1, *step)[0])
        assert needed
        memory = int(needed[1] + "000000") + 10_000_000
        assert 0 < run_step(tmp_path, memory, *step)[1] <= memory
    assert len(native.read_runs_header(bundle_file(tmp_path / "corpus", "runs", name)).runs) > 1
    found = corpus_file(tmp_path / "corpus", "duplicates").read_bytes()
    for step in of_corpus:
        assert command(*step).exit_code == 0
    assert corpus_file(tmp_path / "corpus", "duplicates").read_bytes() == found


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[Path, list[str]]:
    """The folder of a corpus of two batches after all steps."""
    names = write_corpus(tmp_path, [[text(7, 300), text(8, 100)], [text(9, 300)]])
    find(tmp_path, names)
    return tmp_path, names


def test_too_little_memory_says_how_much_is_needed(corpus: tuple[Path, list[str]]) -> None:
    """With too little memory, each step names the memory it needs before it starts."""
    folder, (name, _) = corpus
    vertical, lexicon, output = folder / f"{name}.vert.zst", folder / "corpus.lex", folder / "none"
    few = 10**6
    with pytest.raises(ResourceError, match=r"memory of 1M is too little for .*: at least \d+M is needed"):
        count([vertical], None, output, few)
    with pytest.raises(ResourceError, match=r"the n-grams of .*: at least \d+M is needed"):
        write_keys([vertical], None, output, memory=few, n=10)
    with pytest.raises(ResourceError, match=r"at least \d+M is needed"):
        make_lexicon([folder / f"{name}.words"], output, few)
    with pytest.raises(ResourceError, match=r"counting the keys of \d+ n-grams: at least \d+M is needed"):
        steps.make_candidates([folder / f"{name}.keys"], output, few)
    with pytest.raises(ResourceError, match=r"sorting the n-grams of .*\.tokens: at least \d+M is needed"):
        steps.make_stream_runs(folder / f"{name}.tokens", lexicon, folder / "candidates", output, memory=few, n=3)
    with pytest.raises(ResourceError, match=r"the lexicon \(44 words\) .* at least \d+M is needed"):
        steps.merge_duplicates([folder / f"{name}.runs"], lexicon, output, few)
    assert not output.exists()


def test_documents_of_another_vertical_are_refused(corpus: tuple[Path, list[str]]) -> None:
    """A table with another number of documents than the vertical is a StageFileError."""
    folder, (first, second) = corpus
    vertical, kept, output = folder / f"{first}.vert.zst", folder / f"{second}.parquet", folder / "none"
    with pytest.raises(StageFileError, match=r"b00001\.parquet: 1 documents, but .*b00000.vert.zst has 2"):
        count([vertical], [kept], output)
    with pytest.raises(StageFileError, match=r"b00001\.parquet: 1 documents, but .*b00000.vert.zst has 2"):
        write_keys([vertical], [kept], output, memory=PLENTY, n=10)
    assert not output.exists()


def test_documents_of_a_bundle_are_told_apart(corpus: tuple[Path, list[str]]) -> None:
    """A vertical with one document more than its table is named, even if the next has one fewer."""
    folder, (first, second) = corpus
    verticals = [folder / f"{first}.vert.zst", folder / f"{second}.vert.zst"]
    tables = [folder / f"{second}.parquet", folder / f"{first}.parquet"]
    output, message = folder / "none", r"b00001\.parquet: 1 documents, but .*b00000.vert.zst has 2"
    with pytest.raises(StageFileError, match=message):
        count(verticals, tables, output)
    with pytest.raises(StageFileError, match=message):
        write_keys(verticals, tables, output, memory=PLENTY, n=10)
    assert not output.exists()


def test_a_vertical_ends_where_it_ends(tmp_path: Path) -> None:
    """A vertical with an open document and no final line feed does not run into the next one."""
    documents = [["a", "b", "c"], ["d", "e", "a", "b", "c", "d"]]
    names = write_corpus(tmp_path, [[document] for document in documents])
    whole = find(tmp_path, names, bundled=2).read_bytes()
    for end in ("</p>\n</doc>", "</p>\n", ""):
        with zstd_writer(tmp_path / f"{names[0]}.vert.zst") as stream:
            stream.write(("<doc>\n<p>\na\nb\nc\n" + end).rstrip("\n").encode())
        for method in ("hash", "suffix-sort"):
            assert find(tmp_path, names, bundled=2, method=method).read_bytes() == whole
        write_keys([tmp_path / f"{name}.vert.zst" for name in names], None, tmp_path / "all", memory=PLENTY, n=3)
        assert count_duplicates([tmp_path / "all"], tmp_path, PLENTY) == DuplicateCounts(3, 9, 1, 2)


def test_runs_of_another_lexicon_are_refused(corpus: tuple[Path, list[str]]) -> None:
    """Runs whose ids are of another lexicon are not merged."""
    folder, (first, second) = corpus
    make_lexicon([folder / f"{first}.words"], folder / "other.lex", PLENTY)
    with pytest.raises(StageFileError, match=r"b00001\.runs: not made with .*other\.lex"):
        steps.merge_duplicates([folder / f"{second}.runs"], folder / "other.lex", folder / "none", PLENTY)


def test_runs_with_other_settings_are_refused(corpus: tuple[Path, list[str]]) -> None:
    """Runs that count other tokens, or that are of another n, are not merged with these."""
    folder, (first, second) = corpus
    other, words = folder / "other.tokens", folder / "other.words"
    for n, stop_words in ((4, STOP_WORDS), (3, ("the",))):
        suffix_sort.count_words([folder / f"{second}.vert.zst"], None, words, other, stop_words)
        suffix_sort.sort_ngrams(other, folder / "corpus.lex", folder / "other.runs", PLENTY, n)
        with pytest.raises(StageFileError, match=r"other\.runs: not made with the n, punctuation and stop words"):
            steps.merge_duplicates(
                [folder / f"{first}.runs", folder / "other.runs"],
                folder / "corpus.lex",
                folder / "none",
                PLENTY,
            )


def test_lexicon_of_fewer_documents_is_refused(tmp_path: Path) -> None:
    """Runs of documents that the lexicon was not made from would miss duplicates: they are not merged."""
    names = write_corpus(tmp_path, [[["a", "a", "b"]], [["c", "d", "c", "d"]]])
    find(tmp_path, names[:1], 1)
    lexicon, tokens, runs = tmp_path / "corpus.lex", tmp_path / "b00001.tokens", tmp_path / "b00001.runs"
    suffix_sort.count_words([tmp_path / "b00001.vert.zst"], None, tmp_path / "b00001.words", tokens)
    suffix_sort.sort_ngrams(tokens, lexicon, runs, PLENTY, 1)
    with pytest.raises(StageFileError, match=r"corpus\.lex: not made from all documents"):
        steps.merge_duplicates([runs], lexicon, tmp_path / "none", PLENTY)


@pytest.mark.parametrize("damage", ["cut short", "changed"])
@pytest.mark.parametrize("suffix", [".words", ".lex", ".runs", ".vert.zst", ".keys", ".tokens", "candidates"])
def test_damaged_files_are_named(corpus: tuple[Path, list[str]], suffix: str, damage: str) -> None:
    """A file of an earlier step that is cut short or changed is named, and nothing is written."""
    folder, (name, _) = corpus
    path = folder / {".lex": "corpus.lex", "candidates": "candidates"}.get(suffix, name + suffix)
    data = bytearray(path.read_bytes())
    if damage == "changed":
        data[len(data) * 3 // 4] ^= 4
    path.write_bytes(data if damage == "changed" else data[: len(data) - 3])
    output, lexicon, tokens = folder / "out" / "file", folder / "corpus.lex", folder / f"{name}.tokens"
    candidates = folder / "candidates"
    readers = {
        ".words": lambda: make_lexicon([path], output, PLENTY),
        ".lex": lambda: steps.make_stream_runs(tokens, path, candidates, output, memory=PLENTY, n=3),
        ".runs": lambda: steps.merge_duplicates([path], lexicon, output, PLENTY),
        ".vert.zst": lambda: count([path], None, output),
        ".keys": lambda: steps.make_candidates([path], output, PLENTY),
        ".tokens": lambda: steps.make_stream_runs(path, lexicon, candidates, output, memory=PLENTY, n=3),
        "candidates": lambda: steps.make_stream_runs(tokens, lexicon, path, output, memory=PLENTY, n=3),
    }
    with pytest.raises(StageFileError, match=f"{path.name}: "):
        readers[suffix]()
    if suffix == ".vert.zst":
        with pytest.raises(StageFileError, match=f"{path.name}: "):
            write_keys([path], None, output, memory=PLENTY, n=10)
    assert not list(folder.glob("out/*"))
    assert not list(folder.glob("out/.*"))


@pytest.mark.parametrize("content", [None, "", "archive\tbytes\nx\t1\n"])
def test_list_of_bundles_that_is_none_is_named(tmp_path: Path, content: str | None) -> None:
    """No list of bundles, or one without the column, is a StageFileError."""
    path = tmp_path / "bundles.tsv"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(StageFileError, match=r"bundles\.tsv: "):
        command("lexicon", tmp_path)


def test_a_bundle_that_is_not_listed_is_named(tmp_path: Path) -> None:
    """With the list."""
    write_lists(tmp_path, ["b00000"])
    with pytest.raises(StageFileError, match=r"bundles\.tsv: has no bundle g1"):
        command("words", tmp_path, "--bundle", "g1", "--model", "en")


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_steps_are_deterministic(corpus: tuple[Path, list[str]], threads: int) -> None:
    """Every file is the same byte for byte when its step is run again, in any number of threads."""
    folder, names = corpus
    files = [path for kind in ("words", "lex", "runs", "keys", "tokens") for path in folder.glob(f"*.{kind}")]
    files.append(folder / "candidates")
    before = [path.read_bytes() for path in files]
    find(folder, names, threads=threads)
    assert [path.read_bytes() for path in files] == before


def test_threads_are_as_many_as_the_memory_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With little memory, fewer threads are used instead of an error."""
    names = write_corpus(tmp_path, [[text(7, 1000)], [text(7, 1000)]])
    find(tmp_path, names)
    before = (tmp_path / "candidates").read_bytes()
    keys, counter, taken = [tmp_path / f"{name}.keys" for name in names], native.CandidateCounter, []

    class Counter(counter):
        def __new__(cls, *arguments: object) -> "Counter":
            taken.append(arguments[-3])  # the threads, before part and parts
            return counter.__new__(cls, *arguments)

    monkeypatch.setattr(native, "CandidateCounter", Counter)
    for spare in (0, 20 << 20):
        monkeypatch.setattr(steps.limits, "budget", lambda _, least, __, spare=spare: least + spare)
        steps.make_candidates(keys, tmp_path / "candidates", PLENTY, threads=64)
        assert (tmp_path / "candidates").read_bytes() == before
    assert taken[0] == 1
    assert 1 < taken[1] < 64
