"""Lists the systems that `evaluation` measures: algorithms of the registry, by their names in tables."""

from dataclasses import dataclass
from typing import Any

from corpusprep.cleaners.block_models import shipped_model
from corpusprep.cleaners.interface import Algorithm
from corpusprep.cleaners.registry import algorithm, registrations
from corpusprep.gold.data import TRAINED_ON


@dataclass(slots=True, frozen=True)
class Configuration:
    """A system: an algorithm with its settings.

    Attributes:
        title: its name in tables.
        algorithm: its name in a config.
        preset: for jusText.
        published: its names in published tables.
        parameters: those that differ from the preset's or the defaults.
    """

    title: str
    algorithm: str
    preset: str = "A"
    published: tuple[str, ...] = ()
    parameters: tuple[tuple[str, Any], ...] = ()

    def make(self) -> Algorithm:
        """Returns the algorithm."""
        return algorithm(self.algorithm, self.preset, parameters=dict(self.parameters))


#: Title -> names in published tables, in the order of tables 2.5 to 2.9. Other systems follow, sorted by title.
_PUBLISHED: dict[str, tuple[str, ...]] = {
    "baseline": ("baseline", "baseline (lynx)"),
    "tc20-sw0.30-filter": ("tc20-sw0.30-filter",),
    "BTE": ("BTE",),
    "DefaultExtractor": ("DefaultExtractor lxml",),
    "DefaultExtractor, Java": ("DefaultExtractor",),
    "CanolaExtractor": ("CanolaExtractor",),
    "CanolaExtractor, Java": ("CanolaExtractor",),
    "ArticleExtractor": ("ArticleExtractor",),
    "ArticleExtractor, Java": ("ArticleExtractor",),
    "density": (),
    "density, sparse omitted": (),
    "density, sites": (),
    "jusText A": ("jusText A",),
    "jusText B": ("jusText B",),
    "jusText C": ("jusText C",),
    "jusText D": ("jusText D",),
    "jusText, PyPI’s defaults": (),
    "ncleaner": (),
}


#: The modes of Baisa's program (2009, 3.4): title, algorithm, parameters.
_MODES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("density, sparse omitted", "density", {"least_density": 10.0}),
    ("density, sites -f", "density-site", {"from_target": True}),
    ("density, sites -p", "density-site", {"prune": True}),
    ("density, sites, common parts", "density-site", {"common_parts": True}),
    ("density, sites -r", "density-site", {"least_density": 10.0}),
    ("density, sites -p -r", "density-site", {"prune": True, "least_density": 10.0}),
    ("density, sites -p -f", "density-site", {"prune": True, "from_target": True}),
)


def configurations() -> tuple[Configuration, ...]:
    """Returns the systems to measure: those that the registered algorithms name, and modes; in the order of tables."""
    configured = [
        Configuration(title, registered.name, preset or "A", _PUBLISHED.get(title, ()))
        for registered in registrations()
        for title, preset in registered.evaluated.items()
    ]
    configured += [Configuration(title, name, parameters=tuple(own.items())) for title, name, own in _MODES]
    order = {title: place for place, title in enumerate(_PUBLISHED)}
    return tuple(sorted(configured, key=lambda registered: (order.get(registered.title, len(order)), registered.title)))


CONFIGURATIONS = configurations()


def cleaners() -> tuple[Configuration, ...]:
    """Returns one system per registered algorithm, preset and model of `content`: CONFIGURATIONS without the modes."""
    modes = {title for title, _, _ in _MODES}
    models = [
        Configuration(model, "content", parameters=(("model", str(shipped_model(model))),)) for model in TRAINED_ON
    ]
    return (
        *models,
        *(configuration for configuration in CONFIGURATIONS if configuration.title not in modes),
        *unlisted(),
    )


def unlisted() -> tuple[Configuration, ...]:
    """Returns the registered algorithms that name no title for tables, under their own names; content has models."""
    listed = {"content", *(registered.algorithm for registered in CONFIGURATIONS)}
    return tuple(
        Configuration(registered.name, registered.name)
        for registered in registrations()
        if registered.name not in listed
    )


def trained_on(configuration: Configuration) -> tuple[str, ...]:
    """Returns the gold sets that a system's model was trained on, as its card says; none for what does not learn."""
    card = getattr(getattr(configuration.make(), "model", None), "card", {})
    return tuple(str(gold_set["name"]) for gold_set in card.get("sets", ()))
