# cython: language_level=3
"""Heads of records and of HTTP messages in their usual form: the binding of record_heads.hpp."""

from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport uint64_t
from libcpp cimport bool as cpp_bool
from libcpp.optional cimport optional
from libcpp.string_view cimport string_view


cdef extern from "archive/record_heads.hpp" namespace "corpusprep" nogil:
    cdef cppclass WarcHead:
        string_view type
        string_view url
        string_view date
        string_view content_type
        string_view record_id
        uint64_t length
        size_t size
    cdef cppclass HttpHead:
        int status
        string_view content_type
        size_t size
    optional[WarcHead] c_warc_head "corpusprep::warc_head"(string_view) noexcept
    optional[HttpHead] c_http_head "corpusprep::http_head"(string_view) noexcept
    cpp_bool plain_date(string_view) noexcept


cdef inline str _text(string_view view):
    return PyUnicode_DecodeASCII(view.data(), view.size(), NULL)


def warc_head(bytes data not None):
    cdef optional[WarcHead] found = c_warc_head(string_view(<const char*> data, len(data)))
    if not found.has_value():
        return None
    cdef WarcHead head = found.value()
    return (
        _text(head.type),
        _text(head.url),
        _text(head.date),
        plain_date(head.date),
        _text(head.content_type),
        head.length,
        head.size,
        _text(head.record_id),
    )


def http_head(bytes data not None, size_t start, size_t end):
    end = min(end, <size_t> len(data))
    if start >= end:
        return None
    cdef optional[HttpHead] found = c_http_head(string_view(<const char*> data + start, end - start))
    if not found.has_value():
        return None
    cdef HttpHead head = found.value()
    return head.status, _text(head.content_type), head.size
