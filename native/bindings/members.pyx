# cython: language_level=3
"""Archives whose records are gzip members: the binding of gzip_members.hpp, record_heads.hpp and crc32.hpp."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport uint32_t, uint64_t
from libcpp cimport bool as cpp_bool
from libcpp.memory cimport unique_ptr
from libcpp.optional cimport optional
from libcpp.string_view cimport string_view


cdef extern from "corpusprep/crc32.hpp" namespace "corpusprep" nogil:
    uint32_t c_crc32 "corpusprep::crc32"(string_view) noexcept

cdef extern from "corpusprep/gzip_members.hpp" namespace "corpusprep" nogil:
    cdef enum class Member:
        whole
        too_long
        unsound

    cdef cppclass CppGzipMembers "corpusprep::GzipMembers":
        CppGzipMembers(int, uint64_t, uint64_t, size_t) except +
        Member next() except +
        uint64_t offset() noexcept
        uint64_t end() noexcept
        string_view data() noexcept

cdef extern from "corpusprep/record_heads.hpp" namespace "corpusprep" nogil:
    cdef cppclass WarcHead:
        string_view type
        string_view url
        string_view date
        string_view content_type
        uint64_t length
        size_t size
    cdef cppclass HttpHead:
        int status
        string_view content_type
        size_t size
    optional[WarcHead] c_warc_head "corpusprep::warc_head"(string_view) noexcept
    optional[HttpHead] c_http_head "corpusprep::http_head"(string_view) noexcept
    cpp_bool plain_date(string_view) noexcept


WHOLE, TOO_LONG, UNSOUND = <int> Member.whole, <int> Member.too_long, <int> Member.unsound


cdef inline str _text(string_view view):
    return PyUnicode_DecodeASCII(view.data(), view.size(), NULL)


cdef inline tuple _warc(string_view data):
    cdef optional[WarcHead] found = c_warc_head(data)
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
    )


cdef inline tuple _http(string_view data):
    cdef optional[HttpHead] found = c_http_head(data)
    if not found.has_value():
        return None
    cdef HttpHead head = found.value()
    return head.status, _text(head.content_type), head.size


def crc32(bytes data not None):
    return c_crc32(string_view(<const char*> data, len(data)))


def warc_head(bytes data not None):
    return _warc(string_view(<const char*> data, len(data)))


def http_head(bytes data not None):
    return _http(string_view(<const char*> data, len(data)))


cdef class GzipMembers:
    cdef unique_ptr[CppGzipMembers] members
    cdef string_view view

    def __cinit__(self, int descriptor, uint64_t start, uint64_t size, size_t limit):
        self.members.reset(new CppGzipMembers(descriptor, start, size, limit))

    def next(self):
        cdef Member found
        with nogil:
            found = self.members.get().next()
        self.view = self.members.get().data() if found == Member.whole else string_view()
        return <int> found

    @property
    def offset(self):
        return self.members.get().offset()

    @property
    def end(self):
        return self.members.get().end()

    def __len__(self):
        return self.view.size()

    def warc_head(self):
        return _warc(self.view)

    def http_head(self, size_t start, size_t end):
        end = min(end, self.view.size())
        return _http(self.view.substr(start, end - start)) if start < end else None

    def data(self, size_t start, size_t end):
        end = min(end, self.view.size())
        return PyBytes_FromStringAndSize(self.view.data() + start, end - start) if start < end else b""

    def ends_blank(self, size_t start):
        cdef size_t i
        cdef char c
        for i in range(start, self.view.size()):
            c = self.view.data()[i]
            if c != b"\r" and c != b"\n":
                return False
        return start <= self.view.size()
