# cython: language_level=3
"""Tokenises text: the binding of native/text/tokenizer.hpp."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libcpp cimport bool as cpp_bool
from libc.stdint cimport uint32_t
from libcpp.string cimport string, to_string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "text/sentences.hpp" namespace "corpusprep" nogil:
    cdef struct SentenceToken:
        string_view text
        cpp_bool glued

    cdef cppclass SentenceRules:
        SentenceRules(vector[string] starters, cpp_bool ordinals) except +
        void find(vector[SentenceToken] tokens, vector[size_t]& starts) except +

cdef extern from "text/tokenizer.hpp" namespace "corpusprep" nogil:
    cdef struct TokenSpan:
        size_t begin
        size_t end
        cpp_bool glued

    cdef enum class Ordinals "corpusprep::Ordinals":
        none
        small
        any

    cdef struct TokenizerRules:
        vector[string] abbreviations
        vector[string] numbered
        vector[string] clitic_prefixes
        vector[string] clitic_suffixes
        vector[string] words
        vector[string] joints
        Ordinals ordinals
        cpp_bool hyphens_apart
        cpp_bool stops_apart

    cdef cppclass CppTokenizer "corpusprep::Tokenizer":
        CppTokenizer(TokenizerRules rules) except +
        void tokenize(string_view text, vector[TokenSpan]& spans) except +
        size_t append_vertical(string_view text, string& lines) except +
        size_t append_sentences(string_view text, const SentenceRules& rules, string& lines) except +


cdef class NativeSentences:
    cdef SentenceRules* rules

    def __cinit__(self, starters, ordinals=False):
        self.rules = new SentenceRules(starters, ordinals)

    def __dealloc__(self):
        del self.rules

    def starts(self, tokens, glued):
        cdef tuple kept = tuple(tokens)
        cdef vector[SentenceToken] views
        cdef SentenceToken token
        cdef vector[size_t] starts
        cdef Py_ssize_t length
        cdef const char* data
        for text, flag in zip(kept, glued, strict=True):
            data = PyUnicode_AsUTF8AndSize(text, &length)
            if length == 0:
                raise ValueError("an empty token")
            token.text = string_view(data, length)
            token.glued = flag
            views.push_back(token)
        with nogil:
            self.rules.find(views, starts)
        return starts


cdef class NativeTokenizer:
    cdef CppTokenizer* tokenizer

    def __cinit__(self, abbreviations, clitic_prefixes, clitic_suffixes, numbered=(), words=(), joints=(), ordinals="",
                  apart=()):
        cdef TokenizerRules rules
        rules.abbreviations = abbreviations
        rules.numbered = numbered
        rules.words = words
        rules.joints = joints
        rules.clitic_prefixes = clitic_prefixes
        rules.clitic_suffixes = clitic_suffixes
        rules.ordinals = Ordinals.none
        if ordinals == "small":
            rules.ordinals = Ordinals.small
        elif ordinals == "any":
            rules.ordinals = Ordinals.any
        rules.hyphens_apart = "-" in apart
        rules.stops_apart = "." in apart
        self.tokenizer = new CppTokenizer(rules)

    def __dealloc__(self):
        del self.tokenizer

    def spans(self, bytes text not None):
        cdef string_view view = string_view(<const char*>text, len(text))
        cdef vector[TokenSpan] spans
        with nogil:
            self.tokenizer.tokenize(view, spans)
        return [(span.begin, span.end, span.glued) for span in spans]

    def vertical(self, texts, headings, numbers, NativeSentences sentences=None):
        cdef tuple kept = tuple(texts)  # holds the strings whose buffers the views point into
        cdef vector[string_view] views
        cdef vector[cpp_bool] flags
        cdef vector[uint32_t] places
        cdef vector[size_t] counts
        cdef string lines
        cdef Py_ssize_t length
        cdef const char* data
        cdef size_t total = 0, i
        cdef SentenceRules* rules = NULL
        if sentences is not None:
            rules = sentences.rules
        views.reserve(len(kept))
        for text in kept:
            data = PyUnicode_AsUTF8AndSize(text, &length)
            views.push_back(string_view(data, length))
            total += length
        for heading in headings:
            flags.push_back(bool(heading))
        for number in numbers:
            places.push_back(number)
        if flags.size() != views.size() or places.size() != views.size():
            raise ValueError(f"{views.size()} texts, but {flags.size()} heading flags and {places.size()} numbers")
        with nogil:
            lines.reserve(total + total // 2 + 48 * views.size())
            counts.reserve(views.size())
            for i in range(views.size()):
                lines.append(b'<p heading="1" block="' if flags[i] else b'<p heading="0" block="')
                lines.append(to_string(places[i]))
                lines.append(b'">\n')
                if rules is NULL:
                    counts.push_back(self.tokenizer.append_vertical(views[i], lines))
                else:
                    counts.push_back(self.tokenizer.append_sentences(views[i], rules[0], lines))
                lines.append(b"</p>\n")
        return PyBytes_FromStringAndSize(lines.data(), lines.size()), counts
