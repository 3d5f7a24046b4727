"""The algorithms by the names that a config uses."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from corpusprep.errors import ConfigError
from corpusprep.pages.algorithms import boilerpipe, filters
from corpusprep.pages.algorithms.baseline import Baseline
from corpusprep.pages.algorithms.bte import BTE
from corpusprep.pages.algorithms.density import Density
from corpusprep.pages.algorithms.density_site import DensitySite
from corpusprep.pages.algorithms.interface import Algorithm
from corpusprep.pages.algorithms.justext import PRESETS, JusText
from corpusprep.pages.algorithms.justext_pypi import JusTextPypi, PypiThresholds

# Name -> the class, with its default thresholds (a dataclass) where it has thresholds.
_ALGORITHMS: dict[str, tuple[Callable[..., Algorithm], Any]] = {
    "justext": (JusText, PRESETS["A"]),
    "justext-pypi": (JusTextPypi, PypiThresholds()),
    "baseline": (Baseline, None),
    "bte": (BTE, None),
    "boilerpipe-default": (boilerpipe.DefaultExtractor, None),
    "boilerpipe-article": (boilerpipe.ArticleExtractor, None),
    "boilerpipe-canola": (boilerpipe.CanolaExtractor, None),
    "density": (Density, None),
    "density-site": (DensitySite, None),
    "token-stopword-filter": (filters.FeatureFilter, filters.TOKEN_STOPWORD),
    "link-density-filter": (filters.FeatureFilter, filters.LINK_DENSITY),
    "word-count-filter": (filters.FeatureFilter, filters.WORD_COUNT),
    "stopword-filter": (filters.FeatureFilter, filters.STOPWORD),
}
ALGORITHMS = tuple(_ALGORITHMS)
#: Those that compare a page with others of its site: classify() takes all pages for those of one site.
SITE_ALGORITHMS = ("density-site",)


def algorithm(name: str = "justext", preset: str = "A", **overrides: float | None) -> Algorithm:
    """The algorithm of that name.

    Args:
        name: one of ALGORITHMS.
        preset: for jusText, A, B, C or D.
        overrides: thresholds that differ from the preset's or the algorithm's (the fields of its
            dataclass of thresholds); None leaves them.

    Raises:
        ConfigError: an unknown name or preset, or a threshold that the algorithm does not have.
    """
    if name not in _ALGORITHMS:
        raise ConfigError(f"boilerplate algorithm {name!r} is unknown; known: {', '.join(_ALGORITHMS)}")
    if preset not in PRESETS:
        raise ConfigError(f"jusText preset {preset!r} is unknown; known: {', '.join(PRESETS)}")
    make, thresholds = _ALGORITHMS[name]
    if name == "justext":
        thresholds = PRESETS[preset]
    known = {field.name for field in fields(thresholds)} if thresholds is not None else set()
    given = {key: value for key, value in overrides.items() if value is not None}
    if unknown := sorted(given.keys() - known):
        has = ", ".join(sorted(known)) if known else "none"
        title = "jusText" if name == "justext" else f"the algorithm {name}"
        raise ConfigError(f"{title} has no threshold {unknown[0]!r}; it has {has}")
    return make(replace(thresholds, **given)) if known else make()
