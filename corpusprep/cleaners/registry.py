"""Finds the algorithms by the names that a config uses: built in, of an installed package, and a user's own.

An algorithm is registered (interface.Registration) by an entry point of the group `corpusprep.cleaners`, which gives
its registration or a tuple of some. The config's schema, `evaluation` and the documentation read this registry.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from corpusprep.cleaners import model_files
from corpusprep.cleaners.interface import Algorithm, Cleaner, Registration, SideTable
from corpusprep.errors import ConfigError, meant
from corpusprep.io import own_code
from corpusprep.io.plugins import Kind

#: The algorithms of published studies, which are a package beside this one.
_OF_STUDIES = (
    "baseline",
    "boilerpipe-article",
    "boilerpipe-canola",
    "boilerpipe-default",
    "boilerpipe-java-article",
    "boilerpipe-java-canola",
    "boilerpipe-java-default",
    "bte",
    "density",
    "density-site",
    "justext-pypi",
    "link-density-filter",
    "stopword-filter",
    "texrex",
    "token-stopword-filter",
    "word-count-filter",
)
KIND = Kind(
    group="corpusprep.cleaners",
    noun="boilerplate algorithm",
    built_in={
        "content": "corpusprep.cleaners.content.cleaner:ALGORITHMS",
        "justext": "corpusprep.cleaners.justext:ALGORITHMS",
        "ncleaner": "corpusprep.cleaners.ncleaner.cleaner:ALGORITHMS",
        "victor": "corpusprep.cleaners.victor.cleaner:ALGORITHMS",
    },
    own="my_module:MyCleaner",
    separate=dict.fromkeys(_OF_STUDIES, "--force-reinstall 'corpusprep[studies]'"),
)


#: The algorithm where none is named.
DEFAULT = "content"
#: Settings of jusText alone: where one is given and no algorithm is named, jusText is meant.
OF_JUSTEXT = frozenset({"preset", "max_link_density", "length_low", "length_high", "stopwords_low", "stopwords_high"})


def meant_by(settings: Collection[str]) -> str:
    """Returns the name of the algorithm that settings mean, by their names, or nearly so, where none is named."""
    of_justext = any(name in OF_JUSTEXT or meant(name, OF_JUSTEXT) for name in settings)
    return "justext" if of_justext else DEFAULT


def registrations() -> list[Registration]:
    """Returns all algorithms that are built in or installed, sorted by name. Imports their modules."""
    return [registration(name) for name in names()]


def names() -> tuple[str, ...]:
    """Returns the names of all algorithms that are built in or installed, sorted."""
    return KIND.names()


def registration(name: str) -> Registration:
    """Returns the algorithm of that name; imports no other algorithm.

    Raises:
        ConfigError: the name is unknown, or the package that registers it is not installed, or fails.
    """
    if own_code.is_own(name):
        raise ConfigError(f"{name}: not the name of an algorithm, but of your own")
    loaded = KIND.load(name)
    for registered in loaded if isinstance(loaded, tuple) else (loaded,):
        if isinstance(registered, Registration) and registered.name == name:
            return registered
    raise ConfigError(f"boilerplate algorithm {name!r}: its entry point gives no Registration of that name")


def side_table(name: str) -> SideTable | None:
    """Returns the further pages that an algorithm compares pages with; None if it has none."""
    declared: SideTable | None = None if own_code.is_own(name) else getattr(registration(name).make, "side_table", None)
    return declared


def has_presets(name: str | Cleaner) -> bool:
    """Returns whether an algorithm has presets; a user's own has none."""
    return isinstance(name, str) and not own_code.is_own(name) and bool(registration(name).presets)


def check_preset(name: str | Cleaner, preset: str) -> None:
    """Refuses a preset that a user has given, if the algorithm has none.

    Raises:
        ConfigError: it has none.
    """
    if not has_presets(name):
        named = name if isinstance(name, str) else type(name).__name__
        raise ConfigError(f"preset is {preset!r}, but the algorithm {named} has no presets; leave it out")


def cuts_alone(name: str) -> bool:
    """Returns whether an algorithm cuts pages into other blocks than all others, by a segmenter of its own."""
    made = None if own_code.is_own(name) else registration(name).make
    return getattr(made, "segmenter", Algorithm.segmenter) is not Algorithm.segmenter


def model_file(name: str, parameters: Mapping[str, Any]) -> Path | None:
    """Returns the user's own model file that the parameters of an algorithm name; None if it has one of the package."""
    model = parameters.get("model")
    if not model or own_code.is_own(name) or model in getattr(registration(name).make, "shipped_models", ()):
        return None
    return model_files.path_of(model)


def algorithm(
    name: str | Cleaner,
    preset: str | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    code: Path | str = ".",
    **thresholds: Any,
) -> Algorithm:
    """Returns an algorithm, ready to classify.

    Args:
        name: an algorithm of this package; `module:Class` of a user's own cleaner; or such a cleaner itself.
        preset: for algorithms with presets: jusText has A, B, C and D; None: the first.
        parameters: those that differ from the preset's or the defaults; a user's class gets them as keywords.
        code: the folder that a user's module is looked for in, if it is not installed.
        thresholds: parameters as well; None: not given.

    Raises:
        ConfigError: the name or the preset is unknown, or a parameter is unknown or has a wrong value.
        OwnCodeError: the user's class is missing, cannot be made, or has no method classify.
    """
    values = _given(parameters, thresholds)
    if not isinstance(name, str):
        from corpusprep.cleaners.own import OwnCleaner

        if values:
            raise ConfigError(f"parameters are for an algorithm's name, not for a {type(name).__name__} made already")
        return OwnCleaner(name, type(name).__name__)
    if own_code.is_own(name):
        from corpusprep.cleaners.own import OwnCleaner

        return OwnCleaner.load(name, Path(code), values)
    registered = registration(name)
    settings = _settings(registered, preset, values)
    return registered.make() if settings is None else registered.make(settings)


def check(
    name: str,
    preset: str | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    code: Path | str = ".",
    **thresholds: Any,
) -> None:
    """Raises what `algorithm` with these arguments would raise. A user's class is loaded, but not made."""
    values = _given(parameters, thresholds)
    if own_code.is_own(name):
        own_code.check_parameters(name, own_code.load(name, Path(code)), values)
    else:
        _settings(registration(name), preset, values)


def _given(parameters: Mapping[str, Any] | None, thresholds: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parameters that are given in either way."""
    values = {key: value for key, value in thresholds.items() if value is not None}
    if twice := sorted(values.keys() & (parameters or {}).keys()):
        raise ConfigError(f"{twice[0]} is given twice, beside parameters and in them")
    return {**values, **(parameters or {})}


def _settings(registered: Registration, preset: str | None, values: Mapping[str, Any]) -> Any:
    """Returns an algorithm's dataclass of parameters with those given; None if it has none."""
    preset = next(iter(registered.presets), "") if preset is None else preset
    if registered.presets and preset not in registered.presets:
        raise ConfigError(f"{registered.name} preset {preset!r} is unknown; known: {', '.join(registered.presets)}")
    known = {described.name: described for described in registered.described_parameters()}
    if unknown := sorted(values.keys() - known.keys()):
        has = ", ".join(sorted(known)) if known else "none"
        hint = meant(unknown[0], known)
        if unknown[0].startswith("keep_") and not any(name.startswith("keep_") for name in known):
            raise ConfigError(f"the algorithm {registered.name} keeps blocks of all kinds; keep is for content")
        raise ConfigError(f"the algorithm {registered.name} has no parameter {unknown[0]!r};{hint} it has {has}")
    values = {key: value.item() if isinstance(value, np.generic) else value for key, value in values.items()}
    for key, value in values.items():
        if allowed := known[key].problem(value):
            raise ConfigError(f"the algorithm {registered.name}: {key} is {value!r}; allowed: {allowed}")
    settings = registered.presets.get(preset, registered.parameters)
    if not values:
        return settings
    settings = replace(settings, **values)
    for low in (name for name in known if name.endswith("_low")):
        high = low.removesuffix("low") + "high"
        if high in known and getattr(settings, low) > getattr(settings, high):
            least, most = (f"{key} ({getattr(settings, key):g})" for key in (low, high))
            raise ConfigError(f"the algorithm {registered.name}: {least} is over {most}")
    return settings
