"""`extract` keeps what it needs between calls, and `extract_many` gives the same in threads."""

import itertools
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from corpusprep import Extraction, Page, extract, extract_many, extract_site
from corpusprep.cleaners.block_models import shipped_model
from corpusprep.errors import ConfigError, LanguageError, ModelError, OwnCodeError
from corpusprep.extraction import extractors
from corpusprep.extraction.page_threads import GROUP_PAGES, GROUPS_AHEAD
from corpusprep.pages import html

PROSE = "In the evening the people of the village came down to the river and stood on the bank of it for a while. "
PAGES: list[bytes | str] = [
    *(f"<title>{n}</title><h1>Ä {n}</h1><p>{PROSE * (n % 5)}</p><p><a href=/>Home</a>".encode() for n in range(70)),
    f"<p>{PROSE}é".encode("latin-1"),
    f"<p>{PROSE}".encode("utf-16"),
    b"%PDF",
    b"",
    "<p>text",
    b"\xef\xbb\xbf<p>marked \xc3",
]


def described(page: Extraction) -> tuple[object, ...]:
    """Returns all that an extraction says."""
    return list(page), page.verdict, page.reason, page.title


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("algorithm", "language"), [(None, None), ("justext", "en"), ("texrex", "en"), ("density-site", "en")]
)
def test_pages_are_as_one_by_one(algorithm: str | None, language: str | None, threads: int) -> None:
    """In the order of the pages, with blocks, verdicts, reasons and titles."""
    found = extract_many(iter(PAGES), language, algorithm, threads=threads)
    assert list(map(described, found)) == [described(extract(page, language, algorithm)) for page in PAGES]


@pytest.mark.parametrize("page", ["<p>Home", b"<p>Home", bytearray(b"<p>Home")])
@pytest.mark.parametrize("function", [extract_many, extract_site])
def test_a_single_page_is_no_list_of_pages(function: Callable[..., object], page: str | bytes) -> None:
    """It would be taken as a list of its letters; the error comes before any page is asked for."""
    with pytest.raises(TypeError, match=r"pages is a single page; write a list of pages: \[page\]"):
        function(page)


def test_settings_without_effect_are_refused() -> None:
    """A preset of an algorithm that has none, also of an own cleaner; an empty language."""
    for algorithm in ("content", "density-site", Picky()):
        with pytest.raises(ConfigError, match=r"preset is 'D', but the algorithm .+ has no presets; leave it out"):
            extract("<p>Home", algorithm=algorithm, preset="D")
    with pytest.raises(ConfigError, match="justext preset '' is unknown; known: A, B, C, D"):
        extract("<p>Home", preset="")
    with pytest.raises(LanguageError, match="language is ''; write a code, such as 'en', or the path of a model"):
        extract("<p>Home", "")


def test_the_text_is_the_good_blocks() -> None:
    """One line for each, in order; empty without a good block."""
    page = extract(f"<p>Home</p><h1>Of the river</h1><p>{PROSE * 3}</p><p>{PROSE * 4}</p>", "en", "justext")
    assert page.text.splitlines() == [block.text for block in page if block.label == "good"]
    assert page.text.count("\n") == 1
    assert extract("<a href=/>Home</a>").text == extract(b"%PDF").text == ""


def test_pages_are_read_as_they_are_needed() -> None:
    """An endless generator is read a few groups ahead."""
    taken = itertools.count()
    endless = (f"<p>{next(taken)}" for _ in itertools.count())
    found = extract_many(endless, threads=2)
    assert [next(found)[0].text for _ in range(3)] == ["0", "1", "2"]
    found.close()  # type: ignore[attr-defined]
    assert next(taken) <= GROUP_PAGES * GROUPS_AHEAD * 2


class Picky:
    """A cleaner that fails on some pages."""

    def __init__(self) -> None:
        self.threads: set[str] = set()

    def classify(self, page: Page) -> Sequence[bool]:
        """Keeps all blocks."""
        self.threads.add(threading.current_thread().name)
        if "fail" in page.blocks[0].text:
            raise ValueError("no")
        return [True] * len(page.blocks)


def test_a_page_that_fails_loses_no_other() -> None:
    """It has the verdict `error` and its exception; a user's own cleaner stays in the calling thread."""
    cleaner = Picky()
    found = list(extract_many(["<p>a", "<p>fail", "<p>b"], algorithm=cleaner))
    assert [page.verdict for page in found] == ["kept", "error", "kept"]
    assert isinstance(found[1].error, OwnCodeError)
    assert found[1] == []
    assert str(found[1].error) == found[1].reason
    assert found[0].error is None
    assert cleaner.threads == {threading.current_thread().name}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [None, 7, bytearray(b"<p>text")])
def test_what_is_no_page_at_all_is_an_error_of_the_caller(threads: int, wrong: object) -> None:
    """A wrong type is raised as `extract` raises it, after the pages before it."""
    text = "<p>This is the text of a page."
    found = extract_many([text, wrong, text], threads=threads)  # type: ignore[list-item]
    assert next(found).verdict == "kept"
    with pytest.raises(TypeError, match="a page is bytes or str, not"):
        next(found)


class Body(bytes):
    """Bytes of a class of the user's own."""


class Markup(str):
    """Text of a class of the user's own."""

    __slots__ = ()


@pytest.mark.parametrize("algorithm", [None, "justext", "texrex"])
def test_subclasses_of_bytes_and_text_are_pages(algorithm: str | None) -> None:
    """Other libraries have their own."""
    text = f"<p>{PROSE}Ä"
    plain = described(extract(text, algorithm=algorithm))
    assert described(extract(Body(text.encode()), algorithm=algorithm)) == plain
    assert described(extract(Markup(text), algorithm=algorithm)) == plain


@pytest.mark.parametrize("threads", [0, -1, 2.5, float("nan"), "2"])
def test_threads_are_a_whole_number(threads: int) -> None:
    """What is none is said before a page is read."""
    with pytest.raises(ValueError, match=r"^threads is .*; allowed: a whole number, at least 1$"):
        extract_many([], threads=threads)


def test_a_language_may_be_a_path(tmp_path: Path) -> None:
    """Of a model; what is neither is an error that says what is allowed."""
    with pytest.raises(LanguageError, match="cannot read the language model"):
        extract("<p>x", tmp_path / "x.model")  # type: ignore[arg-type]
    with pytest.raises(LanguageError, match=r"^~nouser-0/x\.model: cannot read the language model"):
        extract("<p>x", "~nouser-0/x.model")
    with pytest.raises(ModelError, match=r"^~nouser-0/x\.model: "):
        extract("<p>x", model="~nouser-0/x.model")
    with pytest.raises(TypeError, match=r"^language is 5; allowed: a code, such as 'en', or the path"):
        extract("<p>x", 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("words", [[1], "the", 5])
def test_stop_words_are_words(words: list[str]) -> None:
    """A text is no list of words, but of letters."""
    with pytest.raises(TypeError, match=r"^stop_words is .*; allowed: a list or set of words$"):
        extract("<p>x", stop_words=words)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_the_generator_comes_after_the_pages_before_it(threads: int) -> None:
    """Nothing that was read is lost."""

    def pages() -> Iterator[str]:
        yield from (f"<p>{n}" for n in range(40))
        raise OSError("disk")

    found = extract_many(pages(), threads=threads)
    assert [next(found)[0].text for _ in range(40)] == [str(n) for n in range(40)]
    with pytest.raises(OSError, match="disk"):
        next(found)


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """That of the how-to page: files, in the order of their names."""
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "main-content.md").read_text(encoding="utf-8")
    example = text.partition("```python\n")[2].partition("```")[0]
    (tmp_path / "pages").mkdir()
    for name, page in (("b", b""), ("a", f"<h1>Story</h1><p>{PROSE * 3}".encode())):
        (tmp_path / "pages" / f"{name}.html").write_bytes(page)
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in shown] == [["a.html", "kept"], ["b.html", "empty"]]


def test_wrong_settings_are_named_at_once() -> None:
    """Not when the first page is asked for."""
    for settings, error in (
        ({"algorithm": "contents"}, ConfigError),
        ({"length_low": "x"}, ConfigError),
        ({"language": "xx", "algorithm": "justext"}, LanguageError),
        ({"threads": 0}, ValueError),
    ):
        with pytest.raises(error):
            extract_many([], **settings)


def test_settings_do_not_mix() -> None:
    """An extractor is kept per settings: 5 words are not 5.0 words, and a stop list counts as a set."""
    page = f"<p>{PROSE * 2}</p>"
    for _ in range(2):
        assert extract(page, length_low=5)[0].label == "good"
        assert extract(page, length_low=60, length_high=70)[0].label == "bad"
        assert extract(page, stop_words=["zzz"])[0].stopword_density == 0
        assert extract(page, stop_words=["the"])[0].stopword_density > 0
        with pytest.raises(ConfigError):
            extract(page, length_low=5.0)


def test_few_extractors_are_kept() -> None:
    """The settings used last."""
    for words in range(2 * extractors.MOST_KEPT):
        extract("<p>a", length_low=words)
    assert len(extractors._kept.extractors) == extractors.MOST_KEPT


def test_a_model_that_changes_is_read_again(tmp_path: Path) -> None:
    """Its file's time and size tell."""
    path = tmp_path / "content.model"
    shutil.copy(shipped_model("content"), path)
    assert extract("<p>a", model=str(path))[0].score is not None
    path.write_bytes(b"nothing")
    with pytest.raises(ModelError):
        extract("<p>a", model=str(path))


def test_pages_after_a_failure_have_their_own_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that stops a call in its middle leaves nothing for the next call."""
    with monkeypatch.context() as patched:
        patched.setattr(html, "parse", lambda _, **_options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            extract("<p>first", "en", "justext")
    assert [block.text for block in extract("<p>second", "en", "justext")] == ["second"]
