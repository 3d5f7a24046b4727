"""The measured algorithms and their names in tables."""

from dataclasses import dataclass, field

from corpusprep.pages.algorithms.interface import Algorithm
from corpusprep.pages.algorithms.registry import algorithm


@dataclass(slots=True, frozen=True)
class Configuration:
    """An algorithm with its settings.

    Attributes:
        title: name in our tables.
        algorithm: name in a config.
        preset: of jusText.
        published: names in published tables.
        thresholds: those that differ from the algorithm's defaults.
    """

    title: str
    algorithm: str
    preset: str = "A"
    published: tuple[str, ...] = ()
    thresholds: dict[str, float] = field(default_factory=dict)

    def make(self) -> Algorithm:
        """Returns the algorithm."""
        return algorithm(self.algorithm, self.preset, **self.thresholds)


#: In the order of tables 2.5 to 2.9.
CONFIGURATIONS = (
    Configuration("baseline", "baseline", published=("baseline", "baseline (lynx)")),
    Configuration("tc20-sw0.30-filter", "token-stopword-filter", published=("tc20-sw0.30-filter",)),
    Configuration("BTE", "bte", published=("BTE",)),
    Configuration("DefaultExtractor", "boilerpipe-default", published=("DefaultExtractor lxml",)),
    Configuration("CanolaExtractor", "boilerpipe-canola", published=("CanolaExtractor",)),
    Configuration("ArticleExtractor", "boilerpipe-article", published=("ArticleExtractor",)),
    Configuration("density", "density"),
    Configuration("density, sites", "density-site"),
    *(Configuration(f"jusText {preset}", "justext", preset, (f"jusText {preset}",)) for preset in "ABCD"),
    Configuration("jusText, PyPI’s defaults", "justext-pypi"),
)
