"""Baisa's thesis on the page of all studies."""

from studies.evaluation.results import Results, of_folder
from studies.study import Part

THESIS = "Vít Baisa: Web Content Cleaning. Master’s thesis, Masaryk University, 2009"
PART: Part[Results] = Part(3, "Baisa 2009: cleaning by the density of text", THESIS, "evaluation", of_folder)
