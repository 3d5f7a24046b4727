"""Chapter 2 of the thesis on the page of all studies."""

from studies.evaluation.results import Results, of_folder
from studies.study import Part

THESIS = (
    "Jan Pomikálek: Removing Boilerplate and Duplicate Content from Web Corpora. PhD thesis, Masaryk University, 2011"
)
PART: Part[Results] = Part(1, "Pomikálek 2011, chapter 2: removing boilerplate", THESIS, "evaluation", of_folder)
