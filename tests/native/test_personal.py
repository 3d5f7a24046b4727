"""The kernel that finds personal data, compared with its plain twin (support/plain_personal.py)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import plain_personal

from corpusprep.personal.rules import COUNTRIES, KINDS, countries_of, kernel

ALL = (1 << len(COUNTRIES)) - 1
PIECES = st.sampled_from(
    [
        *("max.muster", "a", "ü", "@", "@", "example.org", "firma-ö.de", "x.png", "(at)", "[dot]", " (AT) ", "[Punkt]"),
        *("tel.", "Telefon", "ISBN", "Nr.", "Version", "телефон", "电话", "v", "DE89", "ES", "AB", "RSSMRA", "Z", "X"),
        *("+49", "+1", "00", "0049", "030", "0", "(0)", "212", "555", "0142", "2020", "12", "05", "138", "79", "8"),
        *("4111", "1111", "378282246310005", "3704", "0044", "0532", "0130", "00", "86095742719", "44051401359"),
        *(
            "8.8.4.40",
            "8.8.8.8",
            "ip",
            ", ",
            "91.198.174.192",
            "10.0.0.1",
            "2001:4860",
            "::8888",
            ":1",
            "192",
            "255",
            "219-09-9999",
        ),
        *(" ", " ", " ", "-", "-", ".", ".", "/", "(", ")", ") ", " (", ":", ",", "\n", "€", "%", "=", "_", "é", "語"),
        *("\u00a0", "\u2013", "٠", "٥", "۵", "५", "５", "＋", "（", "\u0130", "'", "{", "}", "[", "]"),
    ]
)
texts = st.one_of(
    st.lists(PIECES, max_size=14).map("".join),
    st.text("0123456789 -./()+", max_size=24),
    st.lists(st.text("0123456789", max_size=5), max_size=7).map(" ".join),
)
IDENTITIES = [
    ("de", "86 095 742 719"),
    ("it", "RSSMRA85T10A562S"),
    ("es", "12345678Z"),
    ("es", "X1234567L"),
    ("fr", "2 69 05 49 588 157 80"),
    ("pl", "44051401359"),
    ("pt", "529.982.247-25"),
    ("sv", "811228-9874"),
    ("fi", "131052-308T"),
    ("no", "15108695088"),
    ("cs", "736028/5163"),
    ("zh", "11010519491231002X"),
    ("en", "219-09-9999"),
    ("en", "AB123456C"),
    ("en", "AB 12 34 56 C"),
    ("tr", "10000000146"),
    ("ru", "112-233-445 95"),
    ("hr", "33392005961"),
]


def found(text: str, countries: int = ALL) -> list[tuple[str, int, int]]:
    """Returns what the kernel finds: kind, start, end."""
    return [(KINDS[kind], start, end) for _, kind, start, end in kernel().find([text], countries).tolist()]


@given(texts, st.sampled_from([0, ALL, countries_of("de"), countries_of("en"), countries_of("es")]))
@example("(0) 30 1234567", ALL)
@example("2001:4860:::1", ALL)
@example("İ語v語91.198.174.192", 0)
def test_finds_what_the_twin_finds(text: str, countries: int) -> None:
    """In any text, for any countries."""
    assert found(text, countries) == plain_personal.find(text, countries)


@pytest.mark.parametrize(("language", "number"), IDENTITIES)
def test_identity_numbers_need_their_check(language: str, number: str) -> None:
    """One wrong character, and it is none; without its country, neither."""
    countries = countries_of(language)
    text = f"Number {number}."
    assert ("identity", 7, 7 + len(number)) in found(text, countries) == plain_personal.find(text, countries)
    assert "identity" not in [kind for kind, _, _ in found(text, countries_of("ja"))]
    wrong = number[:-1] + {"9": "8", "Z": "Y"}.get(number[-1], "9" if number[-1].isdigit() else "Z")
    if language != "en":
        assert "identity" not in [kind for kind, _, _ in found(f"Number {wrong}.", countries)]


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("de", "Tel. [030 / 123 45 67], Fax", "phone"),
        ("de", "unter [+49 (0)30 1234567] erreichbar", "phone"),
        ("de", "[info (at) firma [dot] de]!", "email"),
        ("de", "Mail: [max.müster@firma-ö.de].", "email"),
        ("en", "call [(212) 555-0142] now", "phone"),
        ("fr", "[01 23 45 67 89]", "phone"),
        ("ru", "[8 (495) 123-45-67]", "phone"),
        ("zh", "电话：[01062345678]", "phone"),
        ("pt", "[(11) 91234-5678]", "phone"),
        ("de", "IBAN [DE89 3704 0044 0532 0130 00].", "iban"),
        ("de", "Karte [4111 1111 1111 1111] 12/25", "card"),
        ("ru", "факс [65-93-43]", "phone"),
        ("en", "DNS [8.8.8.8]", "ip"),
        ("en", "the server [1.2.3.4]", "ip"),
        ("en", "from [91.198.174.192], port 80", "ip"),
        ("en", "from [2001:4860:4860::8888]", "ip"),
    ],
)
def test_finds_each_kind(language: str, text: str, kind: str) -> None:
    """The place is the whole of it; brackets of the test mark it."""
    start, end = text.index("["), text.rindex("]") - 1
    bare = text[:start] + text[start + 1 : end + 1] + text[end + 2 :]
    assert (
        found(bare, countries_of(language)) == [(kind, start, end)] == plain_personal.find(bare, countries_of(language))
    )


@pytest.mark.parametrize(
    "text",
    [
        *("12.05.2020", "2024-01-31", "1999-2005", "12 05 2020", "08:30-12:00", "20240131"),
        *(
            "ISBN 978-3-16-148410-0",
            "ISBN 0-306-40615-2",
            "10.1000/182",
            "doi:10.1093/nar/gks1195",
            "Version 10.0.19041.1",
        ),
        *("48.2082, 16.3738", "$1,234,567", "1.234.567,89 €", "600 700 800", "serial 0123-4567-8910", "3.14159265"),
        *(
            "4111 1111 1111 1112",
            "DE88 3704 0044 0532 0130 00",
            "GB83 WEST 1234 5698 7654 32",
            "icon@2x.png",
            "@user",
            "192.168.1.1",
            "1.2.3.4",
        ),
        *("https://example.org/0301234567", "00:1a:2b:3c:4d:5e", "std::vector", "ABC-030 1234567", "x=0301234567"),
    ],
)
def test_leaves_other_numbers(text: str) -> None:
    """Dates, book numbers, versions, prices, coordinates are not personal."""
    assert found(text) == [] == plain_personal.find(text, ALL)


def test_finds_the_further_numbers_of_a_list() -> None:
    """Without their area code, behind a mark or a short word; what is far from the first one, or a price, is none."""
    text = "тел. 8 (495) 123-45-67, 123-45-68 и 7654321; 500 000 ₽, 123-45-69"
    places = found(text, countries_of("ru"))
    assert [text[start:end] for _, start, end in places] == ["8 (495) 123-45-67", "123-45-68", "7654321"]
    assert places == plain_personal.find(text, countries_of("ru"))
