"""Suchomel 2015, the lecture on language resources from the Web: its task, finding the sources of reused texts."""
