"""Schäfer's paper on the page of all studies."""

from studies.schaefer_2017.results import Results, of_folder
from studies.study import Part

PAPER = (
    "Roland Schäfer: Accurate and efficient general-purpose boilerplate detection for crawled web corpora. Language "
    "Resources and Evaluation, 2016 (volume 51, 2017)"
)
PART: Part[Results] = Part(5, "Schäfer 2017: block classifiers of texrex", PAPER, "texrex", of_folder)
