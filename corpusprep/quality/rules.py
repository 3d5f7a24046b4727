"""The rules of a filter on documents and blocks: thresholds of presets, single ones, a condition; what they remove."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from corpusprep.errors import ConfigError
from corpusprep.quality.expression import nearest, parse
from corpusprep.quality.presets import BLOCK_PRESETS, PRESETS, Threshold
from corpusprep.quality.signals import LISTED_WORDS, MODEL_SCORE, NAMES
from corpusprep.tables.verdicts import KEPT

#: The verdict on a document for which the condition does not hold.
EXPRESSION = "expression"


#: Signals of single blocks, for rules on blocks.
BLOCK_SIGNALS = (
    *("words", "characters", "longest_word", "link_density", "stop_word_share", "letters", "capitals", "digits"),
    *("sentence_end", "policies", "repeats"),
)


class Rule(NamedTuple):
    """A rule.

    Attributes:
        verdict: on documents or blocks of which it is the first that removes them.
        text: as the table of `quality` names it: what removed documents or blocks are like.
        signals: those that it looks at.
        removes: whether it removes a document or block; null, which removes none, where a signal has no value.
        threshold: the value that its signal is compared with; None if it is an expression.
        of_blocks: whether it is about single blocks.
        least: whether its threshold is a lowest value.
    """

    verdict: str
    text: str
    signals: tuple[str, ...]
    removes: pl.Expr
    threshold: float | None = None
    of_blocks: bool = False
    least: bool = False


def rules(
    preset: Sequence[str],
    least: Mapping[str, float],
    most: Mapping[str, float],
    expression: str,
    model: str | None = None,
    word_lists: str | None = None,
    blocks: Mapping[str, Any] | None = None,
) -> list[Rule]:
    """Returns the rules of a filter in their order: those of the presets, further thresholds, the condition.

    Rules on documents come first, then those on blocks.

    Args:
        preset: names of PRESETS. What two of them say in the same way counts once.
        least: signal -> the lowest value of documents that stay; in place of that of a preset.
        most: signal -> the highest value, in the same way.
        expression: a condition that documents meet that stay (expression.parse); empty for none.
        model: the classifier that gives scores; empty: there is none, so no rule may ask for them. None: not known.
        word_lists: the lists that documents have shares of, in the same way.
        blocks: least, most and expression of single blocks, by BLOCK_SIGNALS; keys may be missing.

    Raises:
        ConfigError: a name or the condition is wrong; says where.
    """
    for name in preset:
        if name not in PRESETS:
            raise ConfigError(f"preset: {name!r} is unknown; allowed: {', '.join(PRESETS)}")
    found = _rules([threshold for name in preset for threshold in PRESETS[name]], least, most, expression, NAMES)
    if model == "" and (scored := [rule.text for rule in found if MODEL_SCORE in rule.signals]):
        raise ConfigError(f"{scored[0]}: there is no score without a classifier; set model, or leave the rule out")
    if word_lists == "" and (shared := [rule.text for rule in found if LISTED_WORDS in rule.signals]):
        raise ConfigError(f"{shared[0]}: there is no share without lists; set word_lists, or leave the rule out")
    own = blocks or {}
    of_preset = [threshold for name in preset for threshold in BLOCK_PRESETS.get(name, ())]
    try:
        of_blocks = _rules(
            of_preset, own.get("least", {}), own.get("most", {}), own.get("expression", ""), BLOCK_SIGNALS
        )
    except ConfigError as error:
        raise ConfigError(f"blocks: {error}") from None
    found += [
        rule._replace(verdict=f"block_{rule.verdict}", text=f"block: {rule.text}", of_blocks=True) for rule in of_blocks
    ]
    return found


def _rules(
    of_presets: Sequence[Threshold],
    least: Mapping[str, float],
    most: Mapping[str, float],
    expression: str,
    names: Collection[str],
) -> list[Rule]:
    """Returns rules on the signals `names`."""
    own = {
        (signal, side): Threshold(signal, side, value)
        for side, values in ((True, least), (False, most))
        for signal, value in values.items()
    }
    for (signal, side), threshold in own.items():
        if signal not in names:
            raise ConfigError(f"{'least' if side else 'most'}: {signal!r} is no signal{nearest(signal, names)}")
        if not side and least.get(signal, threshold.value) > threshold.value:
            raise ConfigError(f"least.{signal} ({least[signal]:g}) is over most.{signal} ({threshold.value:g})")
    thresholds = dict.fromkeys(own.get((threshold.signal, threshold.least), threshold) for threshold in of_presets)
    thresholds |= dict.fromkeys(own.values())
    found = [
        Rule(
            threshold.signal,
            str(threshold),
            (threshold.signal,),
            _removes(threshold),
            threshold.value,
            least=threshold.least,
        )
        for threshold in thresholds
    ]
    if expression:
        condition = parse(expression, names)
        found.append(Rule(EXPRESSION, f"not ({condition.text})", condition.signals, ~condition.holds))
    return found


def section_text(section: Mapping[str, Any]) -> str:
    """Returns the rules of the section `filter` of a config, in which keys may be missing, as the tables name them."""
    keys = ("preset", "least", "most", "expression", "blocks")
    return json.dumps({key: section[key] for key in keys if section.get(key)}, ensure_ascii=False)


def of_section(section: Mapping[str, Any]) -> list[Rule]:
    """Returns the rules of the section `filter` of a config, in which keys may be missing.

    Raises:
        ConfigError: a key, a value, a name or the condition is wrong; says where.
    """
    _check_section("filter", section, {"preset": list, "least": dict, "most": dict, "expression": str, "blocks": dict})
    blocks = section.get("blocks", {})
    _check_section("filter.blocks", blocks, {"least": dict, "most": dict, "expression": str})
    return rules(
        section.get("preset", ()),
        section.get("least", {}),
        section.get("most", {}),
        section.get("expression", ""),
        blocks=blocks,
    )


def _check_section(place: str, section: Mapping[str, Any], allowed: Mapping[str, type]) -> None:
    for key, value in section.items():
        if key not in allowed:
            raise ConfigError(f"{place}: {key!r} is unknown; allowed: {', '.join(allowed)}")
        numbers = value.values() if key in ("least", "most") and isinstance(value, dict) else ()
        if not isinstance(value, allowed[key]) or not all(type(number) in (int, float) for number in numbers):
            raise ConfigError(f"{place}.{key} is {value!r}: not as in a config")


def _removes(threshold: Threshold) -> pl.Expr:
    signal = pl.col(threshold.signal).cast(pl.Float64)
    return signal < threshold.value if threshold.least else signal > threshold.value


def applicable(found: Sequence[Rule], lacking: Mapping[str, str]) -> tuple[list[Rule], dict[str, list[str]]]:
    """Divides rules into those that apply to a language, and the texts of the others by the reason.

    Args:
        found: all rules.
        lacking: signals that say nothing about the language, with the reason (signals.lacking).
    """
    left_out: dict[str, list[str]] = {}
    applied = []
    for rule in found:
        reasons = [lacking[signal] for signal in rule.signals if signal in lacking]
        if reasons:
            left_out.setdefault(reasons[0], []).append(rule.text)
        else:
            applied.append(rule)
    return applied, left_out


def decided(signals: pl.DataFrame, applied: Collection[Rule]) -> pl.DataFrame:
    """Returns the signals of documents or blocks with `failed`, the rules that remove them in order, and `verdict`.

    Args:
        signals: a row for each.
        applied: rules, all on documents or all on blocks.
    """
    if not applied:
        return signals.with_columns(failed=pl.lit([], pl.List(pl.String)), verdict=pl.lit(KEPT))

    removing = {f"_{number}": rule.removes.fill_null(value=False) for number, rule in enumerate(applied)}
    failed = [pl.when(name).then(pl.lit(rule.text)) for name, rule in zip(removing, applied, strict=True)]
    return (
        signals.with_columns(**removing)
        .with_columns(failed=pl.concat_list(failed).list.drop_nulls(), verdict=first_verdict(applied))
        .drop(list(removing))
    )


def first_verdict(applied: Collection[Rule]) -> pl.Expr:
    """Returns the verdict of the first rule that removes a row, of rules that all are on documents or all on blocks."""
    return pl.coalesce(*(pl.when(rule.removes).then(pl.lit(rule.verdict)) for rule in applied), pl.lit(KEPT))
