"""Config files that cannot be read as they are meant: one line with the file and the line."""

from pathlib import Path

import pytest

from corpusprep.config import file as config_file
from corpusprep.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("corpora:\n  a: {x: 1}\n  b: 1\n  a: 2\n", ": corpora.a stands twice (lines 2 and 4); "),
        ("memory: 1G\nresults: x\nmemory: 2G\n", ": memory stands twice (lines 1 and 3); "),
        ("a:\n- b: 1\n- b: 1\n  c: {d: 1,\n      d: 2}\n", ": a.1.c.d stands twice (lines 4 and 5); "),
        ("a: {b: 1, b: 1}\n", ": a.b stands twice (line 1); "),
        ("a: 1\n'a': 1\n", ": a stands twice (lines 1 and 2); "),
        ('{"a": 1,\n\t"b": {"c": 1,\n"c": 2}}', ": b.c stands twice (lines 2 and 3); "),
        ("corpora:\n  english: {language: en\n  archives: [", ", line 3: neither YAML nor JSON: "),
        ("a:\n\tb: 1\n", ", line 2: neither YAML nor JSON: found character '\\t' that cannot start any token"),
        ("a:\n\tb: 1\n", "; indent with spaces, not with tabs"),
        ("a: b: c\n", ", line 1: neither YAML nor JSON: mapping values are not allowed here"),
        ("a: 'x\n", "found unexpected end of stream (while scanning a quoted scalar, line 1)"),
        ("a: *x\n", "found undefined alias 'x'"),
        ("a: !!python/name:os.system {}\n", "could not determine a constructor"),
        ("? [1]\n: 2\n", "found unhashable key"),
        ("a: 1\n---\nb: 1\n", "another document"),
        ("a:\n- b: 2024-13-01\n", ", line 2: 2024-13-01 cannot be read: month must be in 1..12"),
        ("a: [b, !foo]\n", '; put entries that begin with !, @ or * in quotes: "!foo"'),
        ("a:\n- b\n- !foo.gz\n", ", line 3: neither YAML nor JSON: could not determine a constructor for the tag"),
        ("a:\n- b\n- !foo.gz\n", 'in quotes: "!foo.gz"'),
        ("a: [@list.txt]\n", 'in quotes: "@list.txt"'),
        ("a: *.warc.gz\n", 'in quotes: "*.warc.gz"'),
        ("[" * 20_000, "nested too deeply"),
        ("a: \0", "special characters are not allowed"),
        ("a: &x\n  b: [*x]\n", ": a value refers to itself"),
        ("- a\n", ": holds no mapping; "),
        ("hello\n", ": holds no mapping; "),
        ("", ": holds no mapping; "),
    ],
)
def test_a_file_that_is_no_config(tmp_path: Path, text: str, message: str) -> None:
    """Mistakes of YAML, and equal keys, of which YAML and JSON would take the last, at any level."""
    path = tmp_path / "my.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        config_file.read(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """It is not there, is a folder, or not UTF-8."""
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: \xe9\n")
    for name, message in {
        "none.yaml": "none.yaml: no such config file (working directory ",
        "latin.yaml": "latin.yaml, line 2: not UTF-8; save the file as UTF-8",
        ".": ": cannot be read: Is a directory",
    }.items():
        with pytest.raises(ConfigError) as error:
            config_file.read(tmp_path / name)
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n", {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}}),
        ('{\n\t"a": "x\\ty",\n\t"b": "\\ud83d\\ude00\\/"\n}', {"a": "x\ty", "b": "😀/"}),
        ("a: 1\nb: {a: 1}\nc: [{a: 1}, {a: 1}]\n", {"a": 1, "b": {"a": 1}, "c": [{"a": 1}, {"a": 1}]}),
        ("1: a\n'1': b\n", {1: "a", "1": "b"}),
    ],
)
def test_other_files_are_read_as_they_are(tmp_path: Path, text: str, config: object) -> None:
    """Aliases, merged mappings, JSON with tabs, and equal keys in different mappings."""
    (tmp_path / "my.yaml").write_text(text, encoding="utf-8")
    assert config_file.read(tmp_path / "my.yaml") == config
