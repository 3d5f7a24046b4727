"""Names the figures of Baisa's thesis that nothing measures here."""

from typing import Any

from studies.study import Study

_DRAWING = "A drawing, without numbers."

STUDIES: tuple[Study[Any], ...] = (
    Study("Figure 1.1", "A page of Wikipedia", "1.1", missing="A picture of an example."),
    Study("Figure 2.1", "Sorting of files", "2.1", missing=_DRAWING),
    Study("Figure 2.2", "A part of a DOM tree", "2.2", missing=_DRAWING),
    Study("Figure 2.3", "Cleaning of single files", "2.3", missing=_DRAWING),
    Study("Figure 2.4", "Cleaning of several files", "2.4", missing=_DRAWING),
)
