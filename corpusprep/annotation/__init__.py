"""Annotation of tokens, such as lemmas and tags: by a user's command, or by an annotator of the package."""
