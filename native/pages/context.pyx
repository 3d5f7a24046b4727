# cython: language_level=3, boundscheck=False, wraparound=False
"""Classification by rules, by context and by scores (rules.hpp, context.hpp and main_content.hpp in native/pages/)."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libcpp cimport bool as cpp_bool

include "buffers.pxi"


cdef extern from "pages/context.hpp" namespace "corpusprep" nogil:
    void classify "corpusprep::classify_context"(const uint8_t*, size_t, uint8_t*) noexcept
    const uint8_t kGood

cdef extern from "pages/rules.hpp" namespace "corpusprep" nogil:
    cdef struct RuleLimits:
        double max_link_density
        double length_low
        double stopwords_low
        double length_high
        double stopwords_high
    cdef struct RuleMeasures:
        const double* words
        const double* link_density
        const double* stopword_density
        const uint8_t* copyright
        const uint8_t* in_select
    cdef struct RuleCounts:
        const uint32_t* words
        const uint32_t* link_words
        const uint32_t* alphabetic_words
        const uint32_t* stop_words
        const uint8_t* flags
    const size_t kRules
    void c_decide "corpusprep::decide"(const RuleMeasures&, const RuleLimits&, size_t, uint8_t*) noexcept
    void c_decide_counted "corpusprep::decide"(const RuleCounts&, const RuleLimits&, size_t, uint8_t*) noexcept

cdef extern from *:
    """
    #include "pages/main_content.hpp"

    // The columns of the blocks of all pages; page p has the blocks from pages[p] to pages[p + 1].
    static void find_main_content_of(
        const uint16_t* scores, const uint8_t* kinds, const uint32_t* words, const double* link_density,
        const int64_t* pages, std::size_t count, const corpusprep::WantedContent& wanted, uint8_t* verdicts) {
      static_assert(sizeof(corpusprep::ContentVerdict) == sizeof(uint8_t));
      auto* const out = reinterpret_cast<corpusprep::ContentVerdict*>(verdicts);
      for (std::size_t page = 0; page < count; ++page) {
        const auto first = pages[page];
        const auto size = static_cast<std::size_t>(pages[page + 1] - first);
        const corpusprep::ScoredBlocks blocks{
            {scores + first, size}, {kinds + first, size}, {words + first, size}, {link_density + first, size}};
        corpusprep::find_main_content(blocks, wanted, {out + first, size});
      }
    }
    """
    cdef cppclass WantedContent "corpusprep::WantedContent":
        int64_t threshold
        cpp_bool comments
        cpp_bool title
        cpp_bool tables
        cpp_bool code
    void find_main_content_of(
        const uint16_t*, const uint8_t*, const uint32_t*, const double*, const int64_t*, size_t, const WantedContent&,
        uint8_t*
    ) except + nogil

RULES = kRules


def classify_context(const uint8_t[::1] classes, const int64_t[::1] offsets):
    cdef Py_ssize_t page, block, count = classes.shape[0], pages = offsets.shape[0] - 1
    for block in range(count):
        if classes[block] > kGood:
            raise ValueError(f"{max(classes)} is not the code of a class")
    check_pages(&offsets[0] if pages >= 0 else NULL, pages, count)
    result = np.empty(count, dtype=np.uint8)
    cdef uint8_t[::1] good = result
    if count == 0:
        return result
    with nogil:
        for page in range(pages):
            if offsets[page + 1] > offsets[page]:
                classify(&classes[offsets[page]], offsets[page + 1] - offsets[page], &good[offsets[page]])
    return result


def decide(
    const double[::1] words,
    const double[::1] link_density,
    const double[::1] stopword_density,
    const uint8_t[::1] copyrighted,
    const uint8_t[::1] in_select,
    double max_link_density,
    double length_low,
    double stopwords_low,
    double length_high,
    double stopwords_high,
):
    cdef Py_ssize_t count = words.shape[0]
    cdef RuleMeasures measures
    cdef RuleLimits limits = RuleLimits(
        max_link_density, length_low, stopwords_low, length_high, stopwords_high
    )
    if not (link_density.shape[0] == stopword_density.shape[0] == copyrighted.shape[0] == in_select.shape[0] == count):
        raise ValueError(f"columns of {count} blocks have different lengths")
    result = np.empty(count, dtype=np.uint8)
    cdef uint8_t[::1] rules = result
    if count == 0:
        return result
    measures.words = &words[0]
    measures.link_density = &link_density[0]
    measures.stopword_density = &stopword_density[0]
    measures.copyright = &copyrighted[0]
    measures.in_select = &in_select[0]
    with nogil:
        c_decide(measures, limits, count, &rules[0])
    return result


def classify_counted(
    words, link_words, alphabetic_words, stop_words, flags, pages, classes_of_rules, verdicts_of_rules,
    double max_link_density, double length_low, double stopwords_low, double length_high, double stopwords_high,
):
    cdef Py_ssize_t count = len(words), page_count = len(pages) - 1, page, block
    cdef RuleLimits limits = RuleLimits(
        max_link_density, length_low, stopwords_low, length_high, stopwords_high
    )
    cdef Buffers held = Buffers(count)
    cdef RuleCounts counts
    counts.words = <const uint32_t*> held.column(words, count, sizeof(uint32_t))
    counts.link_words = <const uint32_t*> held.column(link_words, count, sizeof(uint32_t))
    counts.alphabetic_words = <const uint32_t*> held.column(alphabetic_words, count, sizeof(uint32_t))
    counts.stop_words = <const uint32_t*> held.column(stop_words, count, sizeof(uint32_t))
    counts.flags = <const uint8_t*> held.column(flags, count, sizeof(uint8_t))
    cdef const int64_t* borders = <const int64_t*> held.column(pages, page_count + 1, sizeof(int64_t))
    cdef const uint8_t* class_of = <const uint8_t*> held.column(classes_of_rules, RULES, sizeof(uint8_t))
    cdef const uint8_t* verdict_of = <const uint8_t*> held.column(verdicts_of_rules, RULES, sizeof(uint8_t))
    check_pages(borders, page_count, count)
    context_free, good, verdicts = np.empty(count, np.uint8), np.empty(count, np.bool_), np.empty(count, np.uint8)
    cdef uint8_t* classes = <uint8_t*> held.column(context_free, count, sizeof(uint8_t))
    cdef uint8_t* main = <uint8_t*> held.column(good, count, sizeof(uint8_t))
    cdef uint8_t* rules = <uint8_t*> held.column(verdicts, count, sizeof(uint8_t))
    with nogil:
        c_decide_counted(counts, limits, count, rules)
        for block in range(count):
            classes[block] = class_of[rules[block]]
        for page in range(page_count):
            if borders[page + 1] > borders[page]:
                classify(classes + borders[page], borders[page + 1] - borders[page], main + borders[page])
        for block in range(count):
            rules[block] = 0 if main[block] else verdict_of[rules[block]]
    return context_free, good, verdicts


def find_main_content(
    scores, kinds, words, link_density, pages, int64_t threshold, bint comments, bint title, bint tables, bint code
):
    cdef Py_ssize_t count = len(scores), page_count = len(pages) - 1
    cdef Buffers held = Buffers(count)
    cdef const uint16_t* score = <const uint16_t*> held.column(scores, count, sizeof(uint16_t))
    cdef const uint8_t* kind = <const uint8_t*> held.column(kinds, count, sizeof(uint8_t))
    cdef const uint32_t* all_words = <const uint32_t*> held.column(words, count, sizeof(uint32_t))
    cdef const double* linked = <const double*> held.column(link_density, count, sizeof(double))
    cdef const int64_t* borders = <const int64_t*> held.column(pages, page_count + 1, sizeof(int64_t))
    cdef WantedContent wanted
    if not 0 <= threshold <= 1000:
        raise ValueError(f"threshold is {threshold}; allowed: 0 to 1000")
    check_pages(borders, page_count, count)
    result = np.empty(count, np.uint8)
    cdef uint8_t* verdicts = <uint8_t*> held.column(result, count, sizeof(uint8_t))
    wanted.threshold, wanted.comments, wanted.title, wanted.tables, wanted.code = threshold, comments, title, tables, code
    with nogil:
        find_main_content_of(score, kind, all_words, linked, borders, page_count, wanted, verdicts)
    return result


cdef check_pages(const int64_t* offsets, Py_ssize_t pages, Py_ssize_t count):
    cdef Py_ssize_t page
    cdef bint ascending = pages >= 0 and offsets[0] == 0 and offsets[pages] == count
    for page in range(pages):
        ascending = ascending and offsets[page] <= offsets[page + 1]
    if not ascending:
        raise ValueError(f"offsets of pages must ascend from 0 to the number of blocks, {count}")
