"""Members of gzip files, compared with zlib."""

import contextlib
import gzip
import random
import zlib

from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpusprep.archive.gzip_members import GzipMembers, MemberOutcome

LIMIT = 1 << 20
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED)

data = st.one_of(
    st.binary(max_size=2000),
    st.builds(bytes.__mul__, st.binary(min_size=1, max_size=40), st.integers(1, 20_000)),
    st.builds(
        lambda seed, size, letters: bytes(random.Random(seed).choices(letters, k=size)),
        st.integers(0, 1000),
        st.integers(0, 300_000),
        st.lists(st.integers(0, 255), min_size=1, max_size=256),
    ),
    st.builds(  # matches at every distance, codes of every length
        lambda seed, size: b" ".join(b"%d" % int(random.Random(seed).expovariate(1) * 2**k) for k in range(size % 400)),
        st.integers(0, 1000),
        st.integers(0, 399),
    ),
)


def member(plain: bytes, level: int, strategy: int, flush: bool) -> bytes:
    """One gzip member; with `flush`, in two halves that end at a byte."""
    coder = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    half = len(plain) // 2 if flush else 0
    first = coder.compress(plain[:half]) + (coder.flush(zlib.Z_FULL_FLUSH) if flush else b"")
    return first + coder.compress(plain[half:]) + coder.flush()


def decoded(stored: bytes, start: int = 0, limit: int = LIMIT) -> tuple[list[bytes], MemberOutcome]:
    """Returns the whole members and the state that ended reading: WHOLE at the end of the file."""
    members = GzipMembers(lambda offset, count: stored[offset : offset + count], start, limit)
    found = []
    while members.end < len(stored):
        before = members.end
        if (said := members.next()) is not MemberOutcome.WHOLE:
            return found, said
        assert members.offset == before < members.end
        found.append(members.data)
    return found, MemberOutcome.WHOLE


@given(st.lists(st.tuples(data, st.integers(0, 9), st.sampled_from(STRATEGIES), st.booleans()), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_members_are_what_zlib_makes_of_them(parts: list[tuple[bytes, int, int, bool]]) -> None:
    """Stored, fixed and dynamic blocks, of any data, one member after another."""
    plain = [part[0] for part in parts]
    assert decoded(b"".join(member(*part) for part in parts)) == (plain, MemberOutcome.WHOLE)


def test_members_longer_than_the_buffers() -> None:
    """Input and output come in pieces, and a member may end anywhere in a piece."""
    random_bytes = random.Random(0).randbytes(700_000)
    for step in (1, 63, 4096):
        plain = [random_bytes[: 262_144 - step], random_bytes[step:900_000], b"", b"text " * 150_000, random_bytes]
        assert decoded(b"".join(gzip.compress(part) for part in plain)) == (plain, MemberOutcome.WHOLE)


@given(data, st.integers(0, 9), st.sampled_from(STRATEGIES), st.integers(0, 10**6), st.integers(1, 255))
@settings(max_examples=300, deadline=None)
def test_damage_never_passes(plain: bytes, level: int, strategy: int, place: int, change: int) -> None:
    """After a changed byte or a missing end, a member is whole only if zlib also accepts it, with the same data."""
    stored = member(plain, level, strategy, False)
    place %= len(stored)
    assert decoded(stored[:place])[0] == []
    changed = stored[:place] + bytes([stored[place] ^ change]) + stored[place + 1 :]
    found, said = decoded(changed)
    if said == MemberOutcome.WHOLE:
        assert found == [plain]
        assert zlib.decompress(changed, 31) == plain


@given(st.binary(max_size=300))
@example(b"\3\0")
@settings(max_examples=300, deadline=None)
def test_any_deflated_bytes_are_what_zlib_says(garbage: bytes) -> None:
    """Random bytes after a gzip header are whole only if zlib also accepts them."""
    stored = b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + garbage + bytes(8)
    expected, rest = [], stored
    with contextlib.suppress(zlib.error):
        while rest:
            decoder = zlib.decompressobj(31)
            plain = decoder.decompress(rest)
            if not decoder.eof:
                break
            expected.append(plain)
            rest = decoder.unused_data
    assert decoded(stored)[0] == expected


def test_a_header_may_have_fields() -> None:
    """Extra bytes, a name and a comment are read; the other reader gets headers without end or with a checksum."""
    stored = gzip.compress(b"text", mtime=0)
    for flags, fields, expected in (
        (4, b"\x03\0abc", [b"text"]),
        (8, b"name\0", [b"text"]),
        (4 | 8 | 16, b"\0\0" + b"n" * 300 + b"\0comment\0", [b"text"]),
        (8, b"name", []),
        (4, b"\xff\xff", []),
        (2, b"\0\0", []),
        (32, b"", []),
    ):
        header = stored[:3] + bytes([flags]) + stored[4:10]
        body = stored[10:].replace(b"\0", b"\1") if expected == [] else stored[10:]
        assert decoded(header + fields + body)[0] == expected


def test_members_start_anywhere_and_end_at_the_limit() -> None:
    """Reading starts at the offset of a member; a member over the limit is not returned."""
    one, two = gzip.compress(b"one" * 30_000), gzip.compress(bytes(500_001))
    assert decoded(b"junk" + one + two, 4, 500_001) == ([b"one" * 30_000, bytes(500_001)], MemberOutcome.WHOLE)
    assert decoded(b"junk" + one + two, 4, 500_000) == ([b"one" * 30_000], MemberOutcome.TOO_LONG)
