"""Word lists from translations."""

import io
import json
import struct
import zipfile
from pathlib import Path

import pytest

from corpusprep.errors import ArchiveError
from studies.languages import word_lists


def catalog(messages: dict[str, str]) -> bytes:
    """A file of gettext: two tables of lengths and places, then the texts."""
    pairs = sorted({"": "Content-Type: text/plain; charset=UTF-8\n", **messages}.items())
    keys, texts = ([text.encode() for text in column] for column in zip(*pairs, strict=True))
    place = 28 + 16 * len(pairs)
    tables = [b"", b""]
    for number, column in enumerate((keys, texts)):
        for text in column:
            tables[number] += struct.pack("<II", len(text), place)
            place += len(text) + 1
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, place)
    return head + b"".join(tables) + b"".join(text + b"\0" for text in (*keys, *texts))


def pack(files: dict[str, str]) -> bytes:
    """A language pack of Firefox."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def test_sentences_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each once, without marks; not what is short, still English, or in the English pack."""
    messages = {
        "Save ~%1 as a copy": "Salvesta ~%1 koopiana siia kausta",
        "menu\x04Not translated at all here": "Not translated at all here",
        "Close": "Sulge",
        "x": "This is the text of a page",
    }
    fluent = (
        "# a comment of five words here\n"
        "one = Leht <b>ei</b> vasta { $name } päringule praegu\n"
        "two =\n    .title = Ava see leht uues kaardis\n    [one] Üks leht on veel lahti\n"
        "three = Ava see leht uues kaardis\n"
    )
    files = [
        ("a/et.mo", catalog(messages)),
        ("a/et.xpi", pack({"a.ftl": fluent, "b.properties": "key=Seda ei ole tõlgitud veel\n", "c.txt": "x"})),
    ]
    monkeypatch.setattr(word_lists, "_files", lambda package: files)
    found = list(word_lists.translations(Path("et.deb"), frozenset({"Seda ei ole tõlgitud veel"})))
    assert found == [
        "Salvesta koopiana siia kausta",
        "Leht ei vasta päringule praegu",
        "Ava see leht uues kaardis",
        "Üks leht on veel lahti",
    ]


def test_sentences_of_an_interface(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without templates and targets of links; a message that is still English is left out."""
    texts = {
        "en": {"a": "Your changes have been saved", "b": "The page could not be found here"},
        "nds": {"a": "Your changes have been saved", "b": "De [[Project:Siet|Siet]] {{GENDER:$1|is}} ''nich'' dor."},
    }
    files = [(f"w/i18n/{code}.json", json.dumps(messages).encode()) for code, messages in texts.items()]
    monkeypatch.setattr(word_lists, "_files", lambda package: [*files, ("w/i18n/qqq.json", b"{}"), ("w/x.json", b"")])
    with pytest.raises(ArchiveError, match="apt-get download mediawiki"):
        list(word_lists.interface(tmp_path, "nds"))
    (tmp_path / "mediawiki_1_all.deb").touch()
    assert list(word_lists.interface(tmp_path, "nds")) == ["De Siet is nich dor."]


def test_a_list_has_its_sources_and_weights(tmp_path: Path) -> None:
    """Sentences weigh twice as much as the declaration; half of them are left for measurements."""
    data = tmp_path / "langid-dev"
    (data / "udhr" / "txt").mkdir(parents=True)
    (data / "lingua-split" / "dev").mkdir(parents=True)
    (data / "udhr" / "txt" / "xx.txt").write_text("aaa bbb\n", encoding="utf-8")
    lines = [f"ccc ddd {'e' * number}" for number in range(1, 40)]
    (data / "lingua-split" / "dev" / "xx.txt").write_text("\n".join(lines), encoding="utf-8")
    source = word_lists.Source(declarations=("xx",), sentences=True)
    first, *rows = word_lists.word_list("xx", source, tmp_path, data).splitlines()
    trained = word_lists.training_sentences(data, "xx")
    assert 5 < len(trained) < 30
    assert first == (
        f"# {2 + 3 * len(trained)} words: 2 of the Universal Declaration of Human Rights;"
        f" {3 * len(trained)} of sentences of the Wortschatz Leipzig (CC BY 4.0)"
    )
    shares = dict(row.split("\t") for row in rows)
    assert shares["aaa"] == str(round(1e6 / 3 / 2))
    assert shares["ccc"] == str(round(1e6 * 2 / 3 / 3))


def test_a_damaged_package_is_named(tmp_path: Path) -> None:
    """With its path."""
    (tmp_path / "a.deb").write_bytes(b"no package")
    with pytest.raises(ArchiveError, match=r"a\.deb: cannot be unpacked"):
        list(word_lists.translations(tmp_path / "a.deb"))
