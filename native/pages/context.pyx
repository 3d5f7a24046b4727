# cython: language_level=3, boundscheck=False, wraparound=False
"""Classification by rules, by context and by scores (rules.hpp, context.hpp and main_content.hpp in native/pages/)."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libcpp cimport bool as cpp_bool


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
    check_pages(offsets, count)
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
    const uint32_t[::1] words,
    const uint32_t[::1] link_words,
    const uint32_t[::1] alphabetic_words,
    const uint32_t[::1] stop_words,
    const uint8_t[::1] flags,
    const int64_t[::1] pages,
    const uint8_t[::1] classes_of_rules,
    const uint8_t[::1] verdicts_of_rules,
    double max_link_density,
    double length_low,
    double stopwords_low,
    double length_high,
    double stopwords_high,
):
    cdef Py_ssize_t count = words.shape[0], page, block
    cdef RuleCounts counts
    cdef RuleLimits limits = RuleLimits(
        max_link_density, length_low, stopwords_low, length_high, stopwords_high
    )
    if not (link_words.shape[0] == alphabetic_words.shape[0] == stop_words.shape[0] == flags.shape[0] == count):
        raise ValueError(f"columns of {count} blocks have different lengths")
    if classes_of_rules.shape[0] != RULES or verdicts_of_rules.shape[0] != RULES:
        raise ValueError(f"{RULES} classes and verdicts are needed")
    check_pages(pages, count)
    context_free, good, verdicts = np.empty(count, np.uint8), np.empty(count, np.bool_), np.empty(count, np.uint8)
    if count == 0:
        return context_free, good, verdicts
    cdef uint8_t[::1] classes = context_free
    cdef uint8_t[::1] main = good.view(np.uint8)
    cdef uint8_t[::1] rules = verdicts
    counts.words = &words[0]
    counts.link_words = &link_words[0]
    counts.alphabetic_words = &alphabetic_words[0]
    counts.stop_words = &stop_words[0]
    counts.flags = &flags[0]
    with nogil:
        c_decide_counted(counts, limits, count, &rules[0])
        for block in range(count):
            classes[block] = classes_of_rules[rules[block]]
        for page in range(pages.shape[0] - 1):
            if pages[page + 1] > pages[page]:
                classify(&classes[pages[page]], pages[page + 1] - pages[page], &main[pages[page]])
        for block in range(count):
            rules[block] = 0 if main[block] else verdicts_of_rules[rules[block]]
    return context_free, good, verdicts


def find_main_content(
    const uint16_t[::1] scores,
    const uint8_t[::1] kinds,
    const uint32_t[::1] words,
    const double[::1] link_density,
    const int64_t[::1] pages,
    int64_t threshold,
    bint comments,
    bint title,
    bint tables,
    bint code,
):
    cdef Py_ssize_t count = scores.shape[0]
    cdef WantedContent wanted
    if not (kinds.shape[0] == words.shape[0] == link_density.shape[0] == count):
        raise ValueError(f"columns of {count} blocks have different lengths")
    if not 0 <= threshold <= 1000:
        raise ValueError(f"threshold is {threshold}; allowed: 0 to 1000")
    check_pages(pages, count)
    result = np.empty(count, np.uint8)
    if count == 0:
        return result
    cdef uint8_t[::1] verdicts = result
    wanted.threshold, wanted.comments, wanted.title, wanted.tables, wanted.code = threshold, comments, title, tables, code
    with nogil:
        find_main_content_of(
            &scores[0], &kinds[0], &words[0], &link_density[0], &pages[0], pages.shape[0] - 1, wanted, &verdicts[0]
        )
    return result


cdef check_pages(const int64_t[::1] offsets, Py_ssize_t count):
    cdef Py_ssize_t page, pages = offsets.shape[0] - 1
    cdef bint ascending = pages >= 0 and offsets[0] == 0 and offsets[pages] == count
    for page in range(pages):
        ascending = ascending and offsets[page] <= offsets[page + 1]
    if not ascending:
        raise ValueError(f"offsets of pages must ascend from 0 to the number of blocks, {count}")
