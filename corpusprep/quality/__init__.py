"""Signals of the quality of documents, and the filters over them."""
