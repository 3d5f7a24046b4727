# cython: language_level=3
"""Characters by one version of Unicode: the binding of unicode.hpp, unicode_mappings.hpp and visible.hpp."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint8_t
from libcpp.optional cimport optional
from libcpp.string cimport string
from libcpp.string_view cimport string_view


cdef extern from *:
    """
    #include <string>
    #include <string_view>
    #include "text/unicode_mappings.hpp"
    #include "text/visible.hpp"

    // The code points of a str, changed by one of the functions of these headers; null with an exception set.
    static PyObject* changed_text(PyObject* text, std::u32string (*change)(std::u32string_view)) {
      static_assert(sizeof(Py_UCS4) == sizeof(char32_t));
      const Py_ssize_t size = PyUnicode_GET_LENGTH(text);
      std::u32string codes(static_cast<std::size_t>(size), 0);
      auto* const buffer = reinterpret_cast<Py_UCS4*>(codes.data());
      if (size != 0 && PyUnicode_AsUCS4(text, buffer, size, 0) == nullptr) return nullptr;
      const std::u32string result = change(codes);
      return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, result.data(), static_cast<Py_ssize_t>(result.size()));
    }
    """
    ctypedef void* Change "std::u32string (*)(std::u32string_view)"
    str changed_text(str text, Change change) except +

cdef extern from "text/unicode_mappings.hpp" namespace "corpusprep" nogil:
    Change c_nfc "corpusprep::nfc"
    optional[string] c_nfc_utf8 "corpusprep::nfc"(string_view) except +
    Change c_nfd "corpusprep::nfd"
    Change c_lower "corpusprep::lower"
    Change c_upper "corpusprep::upper"
    Change c_title "corpusprep::title"
    Change c_casefold "corpusprep::casefold"

cdef extern from "text/visible.hpp" namespace "corpusprep" nogil:
    Change c_visible "corpusprep::visible"

cdef extern from "text/unicode.hpp" namespace "corpusprep" nogil:
    cdef enum class UnicodeClass(uint8_t):
        pass
    UnicodeClass c_unicode_class "corpusprep::unicode_class"(unsigned int code_point)


UNASSIGNED, LETTER, MARK, NUMBER, PUNCTUATION, SYMBOL, SPACE, CONTROL, FORMAT = range(9)
CODE_POINTS = 0x110000


def unicode_class(unsigned int code_point):
    return <int><uint8_t>c_unicode_class(code_point)


def unicode_classes():
    classes = PyBytes_FromStringAndSize(NULL, CODE_POINTS)
    cdef char* values = PyBytes_AS_STRING(classes)
    cdef unsigned int code_point
    for code_point in range(0x110000):
        values[code_point] = <char><uint8_t>c_unicode_class(code_point)
    return classes


def nfc(str text not None):
    if text.isascii():
        return text
    cdef Py_ssize_t size
    cdef const char* data
    cdef optional[string] composed
    try:
        data = PyUnicode_AsUTF8AndSize(text, &size)
    except UnicodeEncodeError:  # lone surrogates
        return changed_text(text, c_nfc)
    composed = c_nfc_utf8(string_view(data, size))
    return composed.value().decode() if composed.has_value() else text


def nfd(str text not None):
    return text if text.isascii() else changed_text(text, c_nfd)


def lower(str text not None):
    return text.lower() if text.isascii() else changed_text(text, c_lower)


def upper(str text not None):
    return text.upper() if text.isascii() else changed_text(text, c_upper)


def casefold(str text not None):
    return text.lower() if text.isascii() else changed_text(text, c_casefold)


def title(str character not None):
    return changed_text(character, c_title)


def visible(str text not None):
    return text if text.isascii() and text.isprintable() else changed_text(text, c_visible)
