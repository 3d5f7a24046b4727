"""Pomikálek 2011, *Removing Boilerplate and Duplicate Content from Web Corpora*."""
