"""Victor's features of text, against plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.plain_victor import page_features

from corpusprep._native import victor as native
from corpusprep.cleaners.victor.victor_models import PLACES, SHARED, columns_of, victor_features
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter

PIECES = st.sampled_from(
    "12 May may 2005 9:30 12:00:30 9:30pm 1:2 2005-06-07 7/6/05 7/6-05 1.2.2005 www.a.b https://x Sept. december 3rd ."
    " ... * •\u00a0 » |  (home) “Yes.” stop! 。 你好。 ! ؟ é e\u0301 naïve x2 – $5 September, may. jan".split(" ")
)
TOKENS = st.one_of(PIECES, st.text(st.sampled_from("abJ09.:/-,!?)'é語。؟€"), min_size=1, max_size=8))
BLOCKS = st.lists(TOKENS, min_size=1, max_size=12).map(lambda tokens: " ".join(filter(None, tokens)) or "x")


def features(pages: list[list[str]], words: list[int]) -> np.ndarray:
    """The features of the blocks of pages."""
    texts = [text.encode() for page in pages for text in page]
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    bounds = np.cumsum([0, *map(len, pages)], dtype=np.int64)
    return native.text_features(b"".join(texts), offsets, bounds, np.array(words, np.uint32))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(BLOCKS, max_size=6), max_size=4), st.integers(0, 2**32 - 1))
def test_features_are_those_of_plain_python(pages: list[list[str]], seed: int) -> None:
    """On any text, with any number of words."""
    words = np.random.default_rng(seed).integers(0, 400, sum(map(len, pages))).tolist()
    found = features(pages, words)
    plain, start = [], 0
    for page in pages:
        plain += page_features(page, words[start : start + len(page)])
        start += len(page)
    assert found.T.tolist() == plain


@pytest.mark.parametrize(
    ("text", "dates", "times", "addresses"),
    [
        ("12 May 2005", 1, 0, 0),
        ("(May 12, 2005) 9:30pm", 1, 1, 0),
        ("2005-06-07 and 7/6/05, not 7/6-05", 2, 0, 0),
        ("You may leave at 12:00:30", 0, 1, 0),
        ("See www.x.org or HTTPS://x.org/1.", 0, 0, 2),
    ],
)
def test_dates_times_and_addresses(text: str, dates: int, times: int, addresses: int) -> None:
    """The forms that count."""
    names = [name for name, _, _ in native.FEATURES]
    values = features([[text]], [3])[:, 0].tolist()
    assert [values[names.index(name)] for name in ("dates", "times", "addresses")] == [dates, times, addresses]


def test_a_long_token_is_counted_character_by_character() -> None:
    """A token of 70,000 letters and one digit; bytes that are not ASCII at its end."""
    text = "a" * 70_000 + "1é"
    assert features([[text]], [1])[:, 0].tolist() == page_features([text], [1])[0]


def test_the_columns_are_the_shared_features_then_its_own() -> None:
    """All features of a page; a page without blocks has none."""
    segmenter = Segmenter((), features=True)
    segmenter.add(html.parse("<h1>Ferry returns</h1><p>It is back. <a href=x>More</a></p>"))
    segmenter.add(None)
    blocks = segmenter.take()
    assert blocks.features is not None
    assert blocks.features.columns is not None
    columns = columns_of(blocks, blocks.features.columns[list(PLACES)])
    assert columns.shape == (len(victor_features()), 2)
    rows = dict(zip((one.name for one in victor_features()), columns.tolist(), strict=True))
    assert rows.keys() >= set(SHARED)
    assert (rows["words"], rows["heading"], rows["sentences"]) == ([2, 4], [1, 0], [0, 1])


def test_features_have_a_name_of_their_own_a_unit_and_a_source() -> None:
    """No two have one name."""
    described = victor_features()
    assert len({one.name for one in described}) == len(described)
    assert all(one.unit and one.source for one in described)
