"""Measurements of cleaners, also of those that no source has."""

from studies.evaluation.results import Results, of_folder
from studies.study import Part

PART: Part[Results] = Part(0, "Cleaners, also those that no source has", "", "evaluation", of_folder)
