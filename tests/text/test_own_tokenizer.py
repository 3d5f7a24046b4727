"""A user's own tokeniser: its tokens in the vertical, and messages for wrong tokens."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.batch_fixture import Block, Page, write_pages

from corpusprep.errors import OwnCodeError
from corpusprep.io.files import zstd_chunks
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.tokenizer import Tokenizer, without_surrogates
from corpusprep.text.tokens import tokenize_batch
from corpusprep.text.vertical import read_documents

TEXTS = st.text(st.characters() | st.sampled_from(list("<>/ab \u00a0\u2028\U0001f600")))


def tokenizer(function: Callable[[str], Any]) -> OwnTokenizer:
    """The tokeniser of a function."""
    return OwnTokenizer(function, "mine:tokenise")


@given(TEXTS)
def test_tokens_with_their_glue_give_the_text_back(text: str) -> None:
    """Whatever the text: joined, with a space before each that is not glued, they are the text with single spaces."""
    tokens = tokenizer(lambda text: re.findall(r"\w+|[^\w\s]", text)).tokenize(text)
    joined = "".join(token.text if token.glued else f" {token.text}" for token in tokens)
    assert joined.strip(" ") == " ".join(re.split(r"\s+", without_surrogates(text))).strip(" ")


@given(st.lists(TEXTS, max_size=3))
def test_the_built_in_tokens_give_the_built_in_vertical(texts: list[str]) -> None:
    """The built-in tokeniser's tokens, as a user's own, give the same bytes."""
    built_in = Tokenizer(["etc."], [], ["n't"])
    own = tokenizer(lambda text: (token.text for token in built_in.tokenize(text)))
    headings = [number == 0 for number in range(len(texts))]
    assert own.vertical(texts, headings) == built_in.vertical(texts, headings)


def test_tokens_that_look_like_structures_are_tokens() -> None:
    """They are escaped, so their lines are no structures."""
    lines, counts = tokenizer(str.split).vertical(["a <p> </doc> &amp;"], [False])
    assert lines.decode() == ('<p heading="0" block="0">\na\n&lt;p&gt;\n&lt;/doc&gt;\n&amp;amp;\n</p>\n')
    assert counts == [4]


def failing(text: str) -> list[str]:
    """Fails."""
    raise KeyError(text)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda text: ["A", "cat"], r"gave the token 'cat' where the text has 'dog\.'; the tokens must give the text"),
        (lambda text: ["A", "dog"], r"left out the end of a text, '\.'; the tokens must give the text back"),
        (lambda text: ["A", "dog", ".", "."], r"gave the token '\.' where the text has ''"),
        (lambda text: ["A dog", "."], r"gave the token 'A dog'; a token is .* without white space"),
        (lambda text: ["A", "", "dog."], "gave the token ''; a token is a text of at least one character"),
        (lambda text: ["A", 3], "gave the token 3; a token is a text"),
        (lambda text: text, "gave str, not a list of tokens"),
        (lambda text: None, "failed: TypeError: 'NoneType' object is not iterable"),
        (failing, r"failed: KeyError: 'A dog\.' \(.*test_own_tokenizer\.py, line \d+\)"),
    ],
)
def test_other_tokens_than_the_texts_are_named(tmp_path: Path, function: Callable[[str], Any], message: str) -> None:
    """In one line, with the document, and nothing is written."""
    files = write_pages(tmp_path, [Page((Block("A dog."),), url="http://d.example/")])
    with pytest.raises(OwnCodeError, match=rf"^mine:tokenise {message}.*\(document \w+, http://d\.example/\)$"):
        tokenize_batch(
            files.encoding,
            files.pages,
            files.boilerplate,
            files.language,
            tokenizer(function),
            files.vertical,
            files.tokens,
        )
    assert not files.vertical.exists()


def test_a_vertical_of_own_tokens_is_read_by_documents(tmp_path: Path) -> None:
    """Text that looks like structures does not disturb the structure lines."""
    files = write_pages(tmp_path, [Page((Block("</p> <doc>"), Block("</doc>")))])
    tokenize_batch(
        files.encoding,
        files.pages,
        files.boilerplate,
        files.language,
        tokenizer(str.split),
        files.vertical,
        files.tokens,
    )
    (document,) = read_documents(files.vertical)
    assert len(document.blocks) == 2
    assert b"".join(zstd_chunks(files.vertical)).count(b"<g/>\n") == 0


def test_ends_of_words_are_shown_and_in_no_token(tmp_path: Path) -> None:
    """The stage gives the zero-width spaces of the page back; text, digest and tokens are without."""
    files = write_pages(
        tmp_path, [Page((Block("\u1780\u1781\u1782 \u1783"),)), Page((Block("\u1780\u1781\u1782 \u1783"),))]
    )
    blocks = read_table(files.boilerplate, schemas.BOILERPLATE)
    breaks = pl.Series([[1, 2], None], dtype=pl.List(pl.UInt32))
    write_table(blocks.with_columns(breaks=breaks), schemas.BOILERPLATE, files.boilerplate)
    shown = []

    def tokenise(text: str) -> list[str]:
        shown.append(text)
        return re.split("[\u200b ]", text)

    tables = (files.encoding, files.pages, files.boilerplate, files.language)
    tokenize_batch(*tables, tokenizer(tokenise), files.vertical, files.tokens)
    assert shown == ["\u1780\u200b\u1781\u200b\u1782 \u1783", "\u1780\u1781\u1782 \u1783"]
    first, second = read_documents(files.vertical)
    assert first.blocks[0].decode().split("\n")[1:-2] == ["\u1780", "<g/>", "\u1781", "<g/>", "\u1782", "\u1783"]
    assert second.blocks[0].decode().split("\n")[1:-2] == ["\u1780\u1781\u1782", "\u1783"]
    assert read_table(files.tokens, schemas.TOKENS)["digest"].n_unique() == 1


@pytest.mark.parametrize("tokens", [["\u1780\u200b\u1781"], ["\u1780", "\u200b", "\u1781"], ["\u1780\u200b", "\u1781"]])
def test_tokens_may_hold_ends_of_words(tokens: list[str]) -> None:
    """They are left out."""
    found = tokenizer(lambda text: tokens).tokenize("\u1780\u200b\u1781")
    assert [token.text for token in found] == [bare for token in tokens if (bare := token.replace("\u200b", ""))]
