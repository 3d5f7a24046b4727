"""Chapter 3 of the thesis on the page of all studies."""

from studies.pomikalek_2011.chapter_3.results import Results, of_folder
from studies.study import Part

THESIS = (
    "Jan Pomikálek: Removing Boilerplate and Duplicate Content from Web Corpora. PhD thesis, Masaryk University, 2011"
)
PART: Part[Results] = Part(2, "Pomikálek 2011, chapter 3: removing duplicate content", THESIS, "experiments", of_folder)
