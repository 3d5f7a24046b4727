"""Measurements of cleaners beside those of the sources."""

from studies.evaluation.results import Results, of_folder
from studies.study import Part

PART: Part[Results] = Part(0, "Cleaners beside those of the sources", "", "evaluation", of_folder)
