"""The lecture on the page of all studies."""

from studies.lecture_reuse.results import Results, of_folder
from studies.study import Part

LECTURE = "Vít Suchomel: Building Language Resources from the Web. Lecture IA161, Masaryk University, 2015"
PART: Part[Results] = Part(6, "Suchomel 2015: reuse of texts", LECTURE, "lecture_reuse", of_folder)
