"""UTF-8 and byte trigrams, compared with Python's decoder and a plain look-up of each trigram."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep._native.charsets import ByteTrigrams, count_controls, count_high_bytes, pair_surrogates, utf8_share
from corpusprep.encoding import byte_trigrams
from corpusprep.encoding.byte_trigrams import EncodingModel

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
PIECES = "a|\0|é|č|€|ह|😀|\ufffd|<p> |".encode().split(b"|")
#: Incomplete characters, overlong forms, surrogates, and numbers beyond Unicode.
FAULTS = [
    b"\x80",
    b"\xbf",
    b"\xc0\xaf",
    b"\xc3",
    b"\xe2\x82",
    b"\xe0\x80\x80",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98",
    b"\xff",
]
FAULTS += [b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xf5", b"\xf4\x8f\xbf", b"\xef\xbf", b"\xf1\x80\xc3"]


def plain_share(data: bytes) -> float:
    """The oracle: the share of characters outside ASCII that Python's decoder does not replace."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end == len(data) and error.reason == "unexpected end of data":
            data = data[: error.start]
            if data.isascii():
                return 0.0
    else:
        return 1.0
    text = data.decode("utf-8", "replace")
    invalid = text.count(REPLACEMENT) - data.count(REPLACEMENT.encode())
    other = len(text) - len(text.encode("ascii", "ignore"))
    return 1.0 - invalid / other if other else 1.0


@given(st.one_of(st.binary(max_size=30), st.lists(st.sampled_from(PIECES + FAULTS), max_size=12).map(b"".join)))
def test_the_share_of_utf8_is_that_of_pythons_decoder(data: bytes) -> None:
    """Also after more ASCII than the kernel skips at once."""
    assert utf8_share(data) == plain_share(data)
    assert utf8_share(b"x" * 70 + data + b"x" * 70) == plain_share(b"x" * 70 + data + b"x" * 70)


def test_every_two_bytes_are_taken_as_python_takes_them() -> None:
    """All pairs of bytes, with and without continuation bytes after them."""
    for first in range(0x80, 0x100):
        for second in range(0x100):
            for rest in (b"", b"\x80", b"\x80\x80", b"\x80a", b"a\xc3\xa9"):
                data = b"\xc3\xa9" + bytes([first, second]) + rest
                assert utf8_share(data) == plain_share(data), data


SURROGATES = [b"\xed\xa0\xbd", b"\xed\xb8\x80", b"\xed\xaf\xbf", b"\xed\xbf\xbf", b"\xed\xa0", b"\xed", b"\xed\x9f\xbf"]


def plainly_paired(data: bytes) -> bytes:
    """The oracle: one regular expression; Python's UTF-16 joins the two halves."""

    def mended(found: re.Match[bytes]) -> bytes:
        if len(found[0]) == 3:
            return b"\xff"
        return found[0].decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16").encode()

    pair = rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]|\xed[\xa0-\xbf][\x80-\xbf]"
    return re.sub(pair, mended, data)


@given(st.lists(st.sampled_from(PIECES + FAULTS + SURROGATES * 3), max_size=20).map(b"".join))
def test_surrogates_are_paired(data: bytes) -> None:
    """Pairs become their character, others one invalid byte; without surrogates, the same object comes back."""
    paired = pair_surrogates(data)
    assert paired == plainly_paired(data)
    assert (paired is data) == (paired == data)


def model(keys: list[int], columns: int) -> EncodingModel:
    """A model with made-up weights for these trigrams."""
    distinct = np.array(sorted({key for key in keys if key & 0x808080}), np.uint32)
    weights = (np.arange((len(distinct) + 1) * columns, dtype=np.uint64) * 0x9E3779B1 % 2**32).astype(np.uint32)
    weights = weights.reshape(len(distinct) + 1, columns)
    weights[-1] = 0
    return EncodingModel(tuple(f"e{number}" for number in range(columns)), distinct, weights)


def plain_products(data: bytes, most: int, known: EncodingModel) -> list[int]:
    """The oracle: sums over NumPy arrays of all running trigrams."""
    keys = byte_trigrams._running(data)[0][:most]
    if not len(known.keys):
        return [0] * len(known.names)
    rows = np.minimum(np.searchsorted(known.keys, keys), len(known.keys) - 1)
    rows = np.where(known.keys[rows] == keys, rows, len(known.keys))
    return [int(product) for product in known.weights[rows].sum(axis=0, dtype=np.uint64)]


PAGES = st.lists(st.sampled_from([b"\xe8", b"\xbe\xfe", b"a", b" ", b"x" * 40, b"<a>", b"\xff", b"\0"]), max_size=40)


@given(PAGES.map(b"".join), st.integers(0, 40), st.integers(0, 4), st.booleans())
def test_products_are_those_of_one_after_another(data: bytes, most: int, columns: int, empty: bool) -> None:
    """Exactly equal whole numbers, for any number of trigrams and encodings."""
    known = model([] if empty else byte_trigrams._running(data)[0].tolist()[::2], columns)
    assert known.products(data, most) == plain_products(data, most, known)


@given(PAGES.map(b"".join), st.integers(0, 40))
def test_whether_a_product_is_more_than_nothing(data: bytes, most: int) -> None:
    """It agrees with the product of each encoding, also for encodings that lack most trigrams."""
    known = model(byte_trigrams._running(data)[0].tolist()[::3], 3)
    known.weights[::2, 1] = known.weights[:, 2] = 0
    known = EncodingModel(known.names, known.keys, known.weights)
    products = plain_products(data, most, known)
    assert [known.any(data, most, name) for name in known.names] == [product > 0 for product in products]


@given(st.binary(max_size=40))
def test_bytes_beyond_ascii_and_controls_are_counted(data: bytes) -> None:
    """Also the bytes after the last group of eight."""
    expected = sum(byte >= 0x80 for byte in data), sum(0x80 <= byte < 0xA0 for byte in data)
    assert count_high_bytes(data) == expected
    assert count_high_bytes(bytes(range(256)) * 3) == (3 * 128, 3 * 32)


@given(st.binary(max_size=40))
def test_control_characters_are_counted(data: bytes) -> None:
    """All but white space and ESC."""
    controls = sum((byte < 0x20 and byte not in b"\t\n\v\f\r\x1b") or byte == 0x7F for byte in data)
    assert count_controls(data, len(data)) == controls


@given(st.lists(st.sampled_from(PIECES + FAULTS), min_size=20, max_size=80).map(b"".join), st.integers(0, 64))
def test_the_share_does_not_depend_on_blocks(data: bytes, before: int) -> None:
    """Characters on the border of 64 bytes, complete or not, count as elsewhere."""
    assert utf8_share(b"x" * before + data) == plain_share(data)


@given(
    st.lists(st.sampled_from(PIECES + FAULTS + [b"\xb0\xa1", b"\xc7\xd1", b"\x82\xa0"]), min_size=1, max_size=12),
    st.lists(st.sampled_from(PIECES + FAULTS), max_size=40).map(b"".join),
    st.integers(1, 60),
    st.integers(0, 64),
    st.sampled_from([0.1, 0.5, 0.9, 1.0]),
)
def test_a_share_that_is_too_small_is_only_said_to_be_so(
    parts: list[bytes], end: bytes, times: int, before: int, least: float
) -> None:
    """Shares from the limit on are exact; a share below it may be any value below it."""
    data = b"x" * before + b"".join(parts) * times + end
    share = plain_share(data)
    found = utf8_share(data, least)
    assert found == share or (found < least and share < least)


def test_an_encoding_that_the_model_lacks_has_no_product() -> None:
    """The number of the encoding is an error."""
    with pytest.raises(IndexError, match="number 3 was asked for"):
        ByteTrigrams(np.ones(1, np.uint32), np.ones((1, 3), np.uint32)).any(b"", 1, 3)


def test_keys_without_weights_are_refused() -> None:
    """Each trigram has a row."""
    with pytest.raises(ValueError, match="rows of weights"):
        ByteTrigrams(np.ones(2, np.uint32), np.ones((1, 3), np.uint32))


@pytest.mark.data
@pytest.mark.parametrize("name", ["cleaneval", "canola"])
@pytest.mark.parametrize("step", [50, pytest.param(1, marks=pytest.mark.slow)])
def test_real_pages(unpacked: Callable[[str], Path], name: str, step: int) -> None:
    """Every page of a gold set, or every fiftieth; also parts that are cut at arbitrary places."""
    files = sorted(unpacked(name).rglob("*.html"))[::step]
    assert files
    for path in files:
        data = path.read_bytes()
        known = model(byte_trigrams._running(data)[0].tolist(), 3)
        for part in (data, data[: len(data) // 2], data[1:1001]):
            assert utf8_share(part) == plain_share(part), path.name
            assert known.products(part, 1000) == plain_products(part, 1000, known), path.name
