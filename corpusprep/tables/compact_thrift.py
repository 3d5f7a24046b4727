"""Reads and writes structures in Thrift's compact protocol, which footers of Parquet files are in.

A structure is a dictionary: number of a field -> (its type, its value). Values are whole numbers, bytes, structures,
and lists: (type of the elements, elements). So what is written again is byte for byte what was read. Sets and maps,
which footers do not have, are an error.
"""

from typing import Any

TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, STRUCTURE = 1, 2, 3, 7, 8, 9, 12
#: Elements whose number does not fit the first byte of a list.
_LONG = 15

Structure = dict[int, tuple[int, Any]]


class Reader:
    """Reads values one after another. Damaged bytes raise ValueError, LookupError or RecursionError."""

    def __init__(self, data: bytes) -> None:
        self._data, self._position = data, 0

    def structure(self, last: int | None = None) -> Structure:
        """Reads a structure, up to field `last`."""
        fields: Structure = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[number] = kind, (kind == TRUE if kind in (TRUE, FALSE) else self._value(kind))
            if number == last:
                break
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE, BYTE):
            return self._byte()
        if kind < DOUBLE:
            return self._integer()
        if kind == DOUBLE:
            return self._bytes(8)
        if kind == BINARY:
            return self._bytes(self._unsigned())
        if kind == LIST:
            head = self._byte()
            count = self._unsigned() if head >> 4 == _LONG else head >> 4
            return head & 15, [self._value(head & 15) for _ in range(count)]
        if kind == STRUCTURE:
            return self.structure()
        raise ValueError(kind)

    def _byte(self) -> int:
        value = self._data[self._position]
        self._position += 1
        return value

    def _bytes(self, count: int) -> bytes:
        self._position += count
        if self._position > len(self._data):
            raise ValueError(count)
        return self._data[self._position - count : self._position]

    def _unsigned(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _integer(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)


def encode(structure: Structure) -> bytes:
    """Returns the bytes of a structure."""
    return bytes(_structure(structure))


def _structure(structure: Structure) -> bytearray:
    written = bytearray()
    before = 0
    for number, (kind, value) in structure.items():
        step = number - before
        if 0 < step <= _LONG:
            written.append(step << 4 | kind)
        else:
            written.append(kind)
            written += _integer(number)
        before = number
        if kind not in (TRUE, FALSE):
            written += _value(kind, value)
    written.append(0)
    return written


def _value(kind: int, value: Any) -> bytes | bytearray:
    if kind in (TRUE, FALSE, BYTE):
        return bytes([value])
    if kind < DOUBLE:
        return _integer(value)
    if kind == DOUBLE:
        return bytes(value)
    if kind == BINARY:
        return _unsigned(len(value)) + bytes(value)
    if kind == STRUCTURE:
        return _structure(value)
    kinds, elements = value
    head = bytearray([min(len(elements), _LONG) << 4 | kinds])
    if len(elements) >= _LONG:
        head += _unsigned(len(elements))
    for element in elements:
        head += _value(kinds, element)
    return head


def _integer(value: int) -> bytes:
    return _unsigned(value << 1 if value >= 0 else (-value << 1) - 1)


def _unsigned(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)
