"""Pomikálek 2011, chapter 2: removing boilerplate. A module per table or figure."""
