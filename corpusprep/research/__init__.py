"""Research: the measurements of chapters 2 and 3 of the thesis, and the tables of the language kit."""
