"""The rules of a filter: their order, what they remove, and those that do not apply to a language."""

import polars as pl
import pytest

from corpusprep import languages
from corpusprep.config import schema as config_schema
from corpusprep.errors import ConfigError
from corpusprep.quality.presets import BLOCK_PRESETS, PRESETS
from corpusprep.quality.rules import BLOCK_SIGNALS, applicable, decided, rules
from corpusprep.quality.signals import NAMES, lacking
from corpusprep.tables.verdicts import QUALITY_BLOCK_REASONS, QUALITY_REASONS


def test_presets_are_those_of_the_config_and_use_known_signals() -> None:
    """Each signal is a reason in the ledger."""
    assert config_schema.setting("filter.preset")["items"]["enum"] == list(PRESETS)
    assert {threshold.signal for preset in PRESETS.values() for threshold in preset} <= set(NAMES)
    assert QUALITY_REASONS.keys() == {*NAMES, "expression", "emptied"}
    assert {threshold.signal for preset in BLOCK_PRESETS.values() for threshold in preset} <= set(BLOCK_SIGNALS)
    assert QUALITY_BLOCK_REASONS.keys() == {f"block_{name}" for name in (*BLOCK_SIGNALS, "expression")}
    assert ", ".join(BLOCK_SIGNALS) in " ".join(config_schema.setting("filter.blocks")["description"].split())


def test_rules_stand_in_their_order_and_count_once() -> None:
    """Presets, further thresholds, the condition, then blocks; one's own threshold is in the place of a preset's."""
    found = rules(["c4", "fineweb", "c4"], {"sentences": 3, "lines": 2}, {"digits": 0.5}, "words>1")
    assert [rule.text for rule in found] == [
        "lorem_ipsum > 0",
        "curly_brackets > 0",
        "sentences < 3",
        "punctuated_lines < 0.12",
        "short_lines > 0.67",
        "repeated_characters > 0.01",
        "line_breaks > 0.3",
        "lines < 2",
        "digits > 0.5",
        "not (words > 1)",
        "block: longest_word > 1000",
        "block: sentence_end < 1",
        "block: words < 3",
        "block: policies > 0",
    ]


def test_a_document_names_the_first_rule_and_has_all() -> None:
    """On a threshold, it stays; a signal without a value removes nothing."""
    found = rules([], {"words": 50}, {"digits": 0.2, "template": 0.5}, "words != 60 or lines > 3")
    rows = pl.DataFrame(
        {
            "words": [50, 49, 49, 60, 60],
            "digits": [0.2, 0.2, 0.3, 0.0, 0.0],
            "lines": [1, 1, 1, 1, 4],
            "template": [None, 0.5, 0.6, None, None],
        },
        schema_overrides={"template": pl.Float64},
    )
    result = decided(rows, found)
    assert result["verdict"].to_list() == ["kept", "words", "words", "expression", "kept"]
    assert result["failed"].to_list() == [
        [],
        ["words < 50"],
        ["words < 50", "digits > 0.2", "template > 0.5"],
        ["not (words != 60 or lines > 3)"],
        [],
    ]
    assert decided(rows, [])["verdict"].to_list() == ["kept"] * 5


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (([], {"wods": 1}, {}, ""), "least: 'wods' is no signal; did you mean words?"),
        (([], {}, {"title": 1}, ""), "most: 'title' is no signal"),
        (([], {"words": 9}, {"words": 8}, ""), "least.words .9. is over most.words .8."),
        ((["gofer"], {}, {}, ""), "preset: 'gofer' is unknown"),
        (([], {}, {}, "words >"), "at character 8\n"),
    ],
)
def test_wrong_rules(wanted: tuple[list[str], dict[str, float], dict[str, float], str], message: str) -> None:
    """Say what is wrong, and what was meant."""
    with pytest.raises(ConfigError, match=message):
        rules(*wanted)


def test_rules_that_say_nothing_about_a_language_are_left_out() -> None:
    """Without spaces there are no words; all else applies."""
    found = rules(["gopher", "c4"], {}, {}, "words > 3 and digits < 0.5")
    assert applicable(found, lacking(languages.get("en"))) == (found, {})
    applied, left_out = applicable(found, lacking(languages.get("ja")))
    ((reason, texts),) = left_out.items()
    assert reason == "Japanese is written without spaces between words"
    assert {rule.verdict for rule in applied} == {
        *("bullet_lines", "ellipsis_lines", "lorem_ipsum", "curly_brackets", "block_policies"),
        *("repeated_lines", "repeated_line_characters", "repeated_paragraphs", "repeated_paragraph_characters"),
    }
    assert "not (words > 3 and digits < 0.5)" in texts
    assert len(applied) + len(texts) == len(found)
