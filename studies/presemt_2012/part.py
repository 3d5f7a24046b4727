"""PRESEMT's deliverable on the page of all studies."""

from studies.presemt_2012.results import Results, of_folder
from studies.study import Part

DELIVERABLE = "PRESEMT, deliverable D3.1.3: Corpus Creation & Annotation Module, 2012"
PART: Part[Results] = Part(4, "PRESEMT 2012: encoding detection", DELIVERABLE, "languages", of_folder)
