# cython: language_level=3, boundscheck=False, wraparound=False
"""Writes pages as Markdown (native/pages/markdown.hpp)."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp.algorithm cimport lower_bound
from libcpp.string cimport string
from libcpp.vector cimport vector

include "buffers.pxi"

cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)

cdef extern from "pages/markdown.hpp" namespace "corpusprep" nogil:
    const size_t kPlaces
    cdef cppclass Places:
        int32_t* data()
    cdef enum class SpanKind(uint8_t):
        pass
    cdef enum class MarkdownKind(uint8_t):
        unknown, table, other
    cdef cppclass MarkdownSpan:
        uint32_t start, end
        SpanKind kind
        string_view target
    cdef cppclass MarkdownBlock:
        string_view text, lines
        Places places
        MarkdownKind kind
        uint64_t words
        size_t first_span, end_span
    string c_markdown "corpusprep::markdown"(const vector[MarkdownBlock]&, vector[MarkdownSpan]&) except +

cdef enum:
    PREFORMATTED = 5  # places of Place
    TABLE = 6


def markdown(
    blocks, Py_ssize_t first, places, bytes lines not None, line_offsets, span_blocks, span_starts, span_ends,
    span_kinds, span_targets, dict targets not None,
):
    cdef Py_ssize_t count = len(places), spans = len(span_blocks), number = first - 1
    cdef Buffers held = Buffers(count)
    cdef const int32_t* place = <const int32_t*> held.column(places, count * kPlaces, sizeof(int32_t))
    cdef const int64_t* line = <const int64_t*> held.column(line_offsets, count + 1, sizeof(int64_t))
    cdef const int64_t* span_block = <const int64_t*> held.column(span_blocks, spans, sizeof(int64_t))
    cdef const uint32_t* start = <const uint32_t*> held.column(span_starts, spans, sizeof(uint32_t))
    cdef const uint32_t* end = <const uint32_t*> held.column(span_ends, spans, sizeof(uint32_t))
    cdef const uint8_t* kind = <const uint8_t*> held.column(span_kinds, spans, sizeof(uint8_t))
    cdef const int64_t* target = <const int64_t*> held.column(span_targets, spans, sizeof(int64_t))
    cdef vector[MarkdownBlock] written
    cdef vector[MarkdownSpan] marked
    cdef MarkdownBlock row
    cdef MarkdownSpan span
    cdef const int32_t* own
    cdef Py_ssize_t span_number
    cdef bytes text
    cdef list texts = []  # what the views look at
    cdef string result
    if first < 0 or first + len(blocks) > count:
        raise ValueError(f"blocks from {first} to {first + len(blocks)} of {count}")
    for block in blocks:
        number += 1
        if block.label != "good":
            continue
        text = (<str?> block.text).encode("utf-8", "replace")
        texts.append(text)
        own = place + number * kPlaces
        row.text = string_view(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        row.lines = string_view()
        memcpy(row.places.data(), own, kPlaces * sizeof(int32_t))
        if own[PREFORMATTED]:
            if not 0 <= line[number] <= line[number + 1] <= len(lines):
                raise ValueError(f"lines from {line[number]} to {line[number + 1]} of {len(lines)} bytes")
            row.lines = string_view(PyBytes_AS_STRING(lines) + line[number], line[number + 1] - line[number])
        if own[TABLE]:
            named = block.kind
            row.kind = MarkdownKind.unknown if named is None else (
                MarkdownKind.table if named == "table" else MarkdownKind.other
            )
            row.words = block.words
        row.first_span = marked.size()
        span_number = lower_bound(span_block, span_block + spans, <int64_t> number) - span_block
        while span_number < spans and span_block[span_number] == number:
            span.start, span.end = start[span_number], end[span_number]
            span.kind = <SpanKind> kind[span_number]
            span.target = string_view()
            if target[span_number] >= 0:
                text = targets[target[span_number]]
                span.target = string_view(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
            marked.push_back(span)
            span_number += 1
        row.end_span = marked.size()
        written.push_back(row)
    result = c_markdown(written, marked)
    return PyUnicode_DecodeUTF8(result.data(), result.size(), "replace")
