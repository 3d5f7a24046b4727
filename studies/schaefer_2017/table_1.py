"""Lists table 1: the features of blocks, in the order of the vectors."""

from collections.abc import Iterator

from studies.comparison import Listing
from studies.schaefer_2017.perceptrons import FEATURES
from studies.schaefer_2017.results import Results
from studies.study import Study


def make(_: Results) -> Iterator[Listing]:
    """Yields the list."""
    about = "The features in the order of the vectors."
    yield Listing(about, ("feature", "what it is"), tuple(FEATURES.items()))


STUDY = Study("Table 1", "Features", "2", make)
