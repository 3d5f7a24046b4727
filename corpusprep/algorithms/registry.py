"""The algorithms by the names that a config uses."""

from dataclasses import fields, replace

from corpusprep.algorithms.interface import Algorithm
from corpusprep.algorithms.justext import PRESETS, JusText
from corpusprep.errors import ConfigError

ALGORITHMS = ("justext",)


def algorithm(name: str = "justext", preset: str = "A", **overrides: float | None) -> Algorithm:
    """The algorithm of that name.

    Args:
        name: one of ALGORITHMS.
        preset: for jusText, A, B, C or D.
        overrides: thresholds that differ from the preset's (Thresholds' fields); None leaves the preset's.

    Raises:
        ConfigError: an unknown name, preset or threshold.
    """
    if name not in ALGORITHMS:
        raise ConfigError(f"boilerplate algorithm {name!r} is unknown; known: {', '.join(ALGORITHMS)}")
    if preset not in PRESETS:
        raise ConfigError(f"jusText preset {preset!r} is unknown; known: {', '.join(PRESETS)}")
    known = {field.name for field in fields(PRESETS[preset])}
    given = {key: value for key, value in overrides.items() if value is not None}
    if unknown := sorted(given.keys() - known):
        raise ConfigError(f"jusText has no threshold {unknown[0]!r}; it has {', '.join(sorted(known))}")
    return JusText(replace(PRESETS[preset], **given))  # type: ignore[arg-type]
