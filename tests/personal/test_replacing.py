"""What replaces personal data, in texts and in their lines of the vertical."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.batch_fixture import TOKENIZER

from corpusprep.errors import ConfigError, StageFileError
from corpusprep.personal.replacing import Place, Replacer, canonical, replaced_lines, replaced_text
from corpusprep.personal.rules import COUNTRIES, KINDS, kernel
from corpusprep.text.vertical_lines import block_lines, text_of

ALL = (1 << len(COUNTRIES)) - 1
VALUES = {
    "email": "max@firma.example",
    "phone": "+49 30 1234567",
    "ip": "91.198.174.192",
    "iban": "DE89 3704 0044 0532 0130 00",
    "card": "4111 1111 1111 1111",
    "identity": "86 095 742 719",
}
texts = st.lists(
    st.one_of(st.sampled_from([*VALUES.values(), "Tel.:", "(", ")", ",", "<b>", "&amp;", "a", "\u0662", "日本"])),
    max_size=9,
).flatmap(lambda words: st.sampled_from([" ", ""]).map(lambda joint: joint.join(words)))


@pytest.fixture
def key(tmp_path: Path) -> str:
    """The path of a file with a secret."""
    path = tmp_path / "secret.key"
    path.write_bytes(b"a secret")
    return str(path)


def lines_of(text: str) -> bytes:
    """The lines of a block with this text."""
    lines, _ = TOKENIZER.vertical([text], [False], [0])
    return lines


@given(texts, st.data())
def test_vertical_and_text_stay_the_same_text(text: str, data: st.DataObject) -> None:
    """With one token per place, wherever places begin and end: also inside of tokens, or side by side."""
    bounds = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    places = [
        Place(start, end, f"[X{number}]")
        for number, (start, end) in enumerate(zip(bounds[::2], bounds[1::2], strict=False))
        if text[start:end].strip() == text[start:end]
    ]
    blocks = list(block_lines(replaced_lines(lines_of(text), text, places)))
    tokens = [token for block in blocks for token in block.tokens]
    assert text_of(tokens).split() == replaced_text(text, places).split()
    for place in places:
        assert sum(place.word in token.columns[0] for token in tokens) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_is_one_token(kind: str) -> None:
    """The text around it has the tokens that it had."""
    text = f"So <{VALUES[kind]}>, right?"
    (found,) = kernel().find([text], ALL).tolist()
    place = Place(*found[2:], Replacer().word(kind, VALUES[kind]))
    lines = replaced_lines(lines_of(text), text, [place]).decode().split("\n")
    wanted = ["So", "&lt;", "<g/>", f"[{kind.upper()}]", "<g/>", "&gt;", "<g/>", ",", "right", "<g/>", "?"]
    assert KINDS[found[1]] == kind
    assert lines[1:-2] == wanted


def test_what_a_tagger_said_goes_with_the_place() -> None:
    """And ends of sentences inside of it; other tokens keep their columns."""
    lines = (
        b'<p block="0">\n<s>\nTel\tN\n<g/>\n.\t.\n</s>\n<s>\n030\tN\n12\tN\n</s>\n<s>\n34\tN\n<g/>\n!\t!\n</s>\n</p>\n'
    )
    text = "Tel. 030 12 34!"
    assert replaced_lines(lines, text, [Place(5, 14, "[PHONE]")]) == (
        b'<p block="0">\n<s>\nTel\tN\n<g/>\n.\t.\n</s>\n<s>\n[PHONE]\t_\n<g/>\n!\t!\n</s>\n</p>\n'
    )


def test_tokens_of_another_text_are_refused() -> None:
    """What cannot be found in them cannot be replaced."""
    with pytest.raises(StageFileError, match=r"the token 'b' is not that of the text, 'a@b\.de'"):
        replaced_lines(lines_of("b"), "a@b.de", [Place(0, 6, "[EMAIL]")])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["hash", "made_up"])
def test_a_value_has_one_word(key: str, tmp_path: Path, kind: str, way: str) -> None:
    """However it is written; another value, or another secret, gives another word. It has no white space."""
    value = VALUES[kind]
    other = tmp_path / "other.key"
    other.write_bytes(b"another secret")
    word = Replacer(way, key).word(kind, value)
    assert word == Replacer(way, key).word(kind, value.upper() if kind == "email" else value.replace(" ", "\u00a0"))
    assert word not in (
        value,
        Replacer(way, key).word(kind, value.replace("9", "8").replace("1", "2").replace("x", "y")),
    )
    assert word != Replacer(way, str(other)).word(kind, value)
    assert not set(word) & set(" \t\n")


@pytest.mark.parametrize("kind", ["email", "ip"])
def test_made_up_values_are_of_their_kind(key: str, kind: str) -> None:
    """Those of numbers with check digits have wrong ones, and telephone numbers the code of no country."""
    word = Replacer("made_up", key).word(kind, VALUES[kind])
    assert [(KINDS[found], *place) for _, found, *place in kernel().find([word], ALL).tolist()] == [
        (kind, 0, len(word))
    ]
    for numbered in ("iban", "card", "identity"):
        assert not len(kernel().find([Replacer("made_up", key).word(numbered, VALUES[numbered])], ALL))


def test_the_same_number_in_other_forms() -> None:
    """Other spaces and signs, brackets, and words for signs."""
    for written in ("0049 30 1234567", "+49 (0)30 / 123-45-67", "+49\u00a030\u20131234567"):
        assert canonical("phone", written) == "+49301234567"
    assert canonical("phone", "030 1234567") == "0301234567"
    assert canonical("email", "Max (AT) Firma [dot] example") == "max@firma.example"


def test_hashes_need_a_secret(tmp_path: Path) -> None:
    """In a file that has something in it."""
    (tmp_path / "empty").write_text("\n")
    for path, message in (
        ("", "need the path"),
        (str(tmp_path / "none"), "No such file"),
        (str(tmp_path / "empty"), "is empty"),
    ):
        with pytest.raises(ConfigError, match=message):
            Replacer("hash", path)
    assert Replacer("label").word("card", "1") == "[CARD]"
