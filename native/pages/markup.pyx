# cython: language_level=3, boundscheck=False, wraparound=False
"""Bounds on the work that the markup of a page can cause (native/pages/markup.hpp)."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libcpp cimport bool as cbool
from libcpp.string cimport string


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)

cdef extern from "pages/markup.hpp" namespace "corpusprep" nogil:
    cbool c_has_moves "corpusprep::has_moves"(string_view) noexcept
    cbool c_costly_markup "corpusprep::costly_markup"(string_view) noexcept
    string c_plain_markup "corpusprep::plain_markup"(string_view) except +
    size_t c_lean_markup "corpusprep::lean_markup"(string_view, char*) except +
    size_t c_joined_markup "corpusprep::joined_markup"(string_view, char*) except +
    const size_t kMostAttributes
    const size_t kDeepest


MOST_ATTRIBUTES = kMostAttributes
DEEPEST = kDeepest


def has_moves(bytes page not None):
    return c_has_moves(string_view(<const char*> page, len(page)))


def costly_markup(bytes page not None):
    cdef string_view view = string_view(<const char*> page, len(page))
    cdef cbool costly
    with nogil:
        costly = c_costly_markup(view)
    return costly


def plain_markup(bytes page not None):
    cdef string_view view = string_view(<const char*> page, len(page))
    cdef string plain
    with nogil:
        plain = c_plain_markup(view)
    return plain


def lean_markup(bytes page not None):
    cdef string_view view = string_view(<const char*> page, len(page))
    cdef bytes whole = PyBytes_FromStringAndSize(NULL, len(page))
    cdef char* out = PyBytes_AS_STRING(whole)
    cdef size_t size
    with nogil:
        size = c_lean_markup(view, out)
    return whole[:size]


def joined_markup(bytes page not None):
    cdef string_view view = string_view(<const char*> page, len(page))
    cdef bytes whole = PyBytes_FromStringAndSize(NULL, len(page))
    cdef char* out = PyBytes_AS_STRING(whole)
    cdef size_t size
    with nogil:
        size = c_joined_markup(view, out)
    return whole[:size]
