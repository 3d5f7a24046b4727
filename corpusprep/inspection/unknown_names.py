"""Says which structures and attributes of a query a corpus does not have: such a query has no hits, and no error."""

from collections.abc import Iterator
from pathlib import Path

from corpusprep.corpus.structures import SEEN_DOCUMENTS, structures
from corpusprep.inspection.automaton import structures_of
from corpusprep.inspection.parsed_query import Meeting, Query, Structure
from corpusprep.inspection.records import batches_of
from corpusprep.tables.batch_files import BatchFiles


def unknown_names(corpus_dir: Path, query: Query) -> str:
    """Returns a sentence on what a query names that the first documents of a corpus do not have; empty: nothing.

    Args:
        corpus_dir: the folder of the corpus.
        query: the query.

    Raises:
        StageFileError: there is no corpus, or a file is missing or damaged.
    """
    paths = [BatchFiles.of(corpus_dir, batch.name).corpus_vertical for batch in batches_of(corpus_dir)]
    known = structures([path for path in paths if path.exists()]).attributes
    among = f"None of the first {SEEN_DOCUMENTS} documents has"
    for structure in _structures(query):
        attributes = known.get(structure.name)
        if attributes is None:
            return f"{among} <{structure.name}>; there is {', '.join(f'<{name}>' for name in known)}"
        if missing := [name for name in structure.attributes if name not in attributes]:
            return f"{among} <{structure.name} {missing[0]}>; <{structure.name}> has {', '.join(attributes) or 'none'}"
    return ""


def _structures(query: Query) -> Iterator[Structure]:
    """Yields the structures that a query names."""
    if isinstance(query.pattern, Meeting):
        for part in query.pattern.queries:
            yield from _structures(part)
    else:
        yield from map(Structure, structures_of(query.pattern))
    for clause in query.clauses:
        if isinstance(clause.other, Structure):
            yield clause.other
        else:
            yield from _structures(clause.other)
