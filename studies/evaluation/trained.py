"""Lists the systems whose models are trained for the tables: on the pages that the thesis trained them on.

Their models are made where the data is, and never come with the package: CleanEval states no licence.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from corpusprep.gold.data import stored_files
from studies.evaluation.configurations import CONFIGURATIONS, Configuration


@dataclass(slots=True, frozen=True)
class Trained:
    """A system.

    Attributes:
        title: its name in tables, and in published ones.
        algorithm: its name in a config.
        model: the name of its model.
        gold: the sets that it is trained on.
        options: further options of `corpusprep train`.
        threshold: the lowest score of main content: what the published system keeps.
    """

    title: str
    algorithm: str
    model: str
    gold: tuple[str, ...]
    options: str = ""
    threshold: float = 0.5

    def command(self) -> str:
        """Returns what `corpusprep train` is told: the algorithm, its options and the sets."""
        return " ".join([self.algorithm, *filter(None, [self.options]), *(f"--gold {name}" for name in self.gold)])


#: Algorithm -> the library that trains it (extra [studies]), if it needs one.
LIBRARIES = {"victor": "pycrfsuite"}
TRAINED = (
    Trained("Victor Canola", "victor", "victor-canola", ("canola-dev",)),
    Trained("Victor CanolaFull", "victor", "victor-canola-full", ("canola-dev", "canola-test")),
    Trained("Victor CleanEval", "victor", "victor-cleaneval", ("cleaneval-victor",)),
    Trained("Victor CleanEval2", "victor", "victor-cleaneval2", ("cleaneval-victor",), "--two-classes"),
    Trained("NCLEANER", "ncleaner", "ncleaner-cleaneval", ("cleaneval-dev",)),
    Trained("NCLEANER Canola", "ncleaner", "ncleaner-canola", ("canola-dev",)),
    Trained("NCLEANER, classes", "ncleaner", "ncleaner-cleaneval-classes", ("cleaneval-dev",), "--classes"),
)
#: Set -> a set with the same pages: a model of the one has seen the other.
SAME_PAGES = {"cleaneval-dev": "cleaneval-victor"}
#: All systems of the tables, in their order.
SYSTEMS = (
    *CONFIGURATIONS,
    *(Configuration(system.title, system.algorithm, published=(system.title,)) for system in TRAINED),
)


def can_train(system: Trained, data: str | Path) -> bool:
    """Returns whether the folder of the gold sets has what a system is trained on, and its library is installed."""
    library = LIBRARIES.get(system.algorithm)
    return all(stored_files(data, [name]) for name in system.gold) and (
        library is None or find_spec(library) is not None
    )
