"""Puts the documents of a corpus, or their sentences, in an order of chance, without holding them in memory.

The order is that of keyed digests (BLAKE2b, the key is a seed): it depends on what is sorted alone, neither on batches
nor on the order in which archives are named. Documents for validation are chosen by a digest, too.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusDocument
from corpusprep.corpus.sentences import EMPTY, numbered, sentences
from corpusprep.io.sorted_spill import SortedSpill

#: A document, and whether it is for validation.
Placed = tuple[CorpusDocument, bool]
_KEY_BYTES = 16


def placed(documents: Iterable[CorpusDocument], validation: float) -> Iterator[Placed]:
    """Chooses documents for validation.

    A digest of the address decides, or of the id where there is none. So a document stays in its part when others come
    in or the order changes, and captures of one page are in one part.

    Args:
        documents: of the corpus.
        validation: the share that is chosen, 0 to 1.
    """
    border = int(validation * 2**64)
    for document in documents:
        name = document.values["url"] or document.values["id"]
        digest = hashlib.blake2b(name.encode(), digest_size=8, person=b"validation").digest()
        yield document, int.from_bytes(digest, "big") < border


def shuffled(documents: Iterable[Placed], seed: int, folder: Path, memory: int) -> Iterator[Placed]:
    """Yields documents in the order of keyed digests of their ids.

    Args:
        documents: of the corpus.
        seed: decides the order.
        folder: to make for temporary files.
        memory: bytes for documents in memory.
    """
    spill = SortedSpill(folder, memory)
    for document, validation in documents:
        spill.add(_key(seed, document.values["id"].encode()), _packed(document, validation=validation))
    yield from map(_unpacked, spill.sorted())


def shuffled_sentences(documents: Iterable[Placed], seed: int, folder: Path, memory: int) -> Iterator[Placed]:
    """Yields the sentences of documents in the order of keyed digests of all that is known of them; as `shuffled`."""
    spill = SortedSpill(folder, memory)
    for document, validation in documents:
        for sentence in sentences(document):
            said = {name: value for name, value in sentence.values.items() if value != EMPTY.get(name)}
            packed = _packed(replace(sentence, values=said), validation=validation)
            spill.add(_key(seed, packed), packed)
    for number, record in enumerate(spill.sorted()):
        sentence, validation = _unpacked(record)
        yield numbered(sentence, number), validation


def _key(seed: int, name: bytes) -> bytes:
    key = f"corpusprep {seed}".encode()
    return hashlib.blake2b(name, digest_size=_KEY_BYTES, key=hashlib.blake2b(key).digest()).digest()


def _packed(document: CorpusDocument, *, validation: bool) -> bytes:
    """Returns a document as bytes: a line of JSON, then its lines of the vertical."""
    head = [document.values, dict(document.own), document.record, validation]
    return json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" + document.lines


def _unpacked(record: bytes) -> Placed:
    head, _, lines = record.partition(b"\n")
    values, own, number, validation = json.loads(head)
    return CorpusDocument(values, lines, own, number), validation
