# cython: language_level=3
"""Scores texts by trigrams and words: the binding of native/languages/text_scores.hpp."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.math cimport INFINITY, log
from libcpp cimport bool as cpp_bool
from libcpp.memory cimport unique_ptr
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)


cdef extern from "languages/language_evidence.hpp" namespace "corpusprep" nogil:
    cdef cppclass TrigramLogs
    cdef cppclass EvidenceLimits
    cdef cppclass LanguageEvidence

cdef extern from "<span>" namespace "std" nogil:
    cdef cppclass places_span "std::span<const std::int64_t>":
        places_span()
        places_span(const int64_t*, size_t)
    cdef cppclass bytes_span "std::span<const std::uint8_t>":
        bytes_span()
        bytes_span(const uint8_t*, size_t)
    cdef cppclass units_span "std::span<const std::uint16_t>":
        units_span(const uint16_t*, size_t)
    cdef cppclass codes_span "std::span<const std::uint32_t>":
        codes_span()
        codes_span(const uint32_t*, size_t)
        const uint32_t* data()
        size_t size()
    cdef cppclass keys_span "std::span<const std::uint64_t>":
        keys_span()
        keys_span(const uint64_t*, size_t)
    cdef cppclass signed_span "std::span<const std::int32_t>":
        signed_span()
        signed_span(const int32_t*, size_t)
    cdef cppclass signed_spans "std::span<const std::span<const std::int32_t>>":
        signed_spans(const signed_span*, size_t)
    cdef cppclass lists_span "std::span<const std::string_view>":
        lists_span(const string_view*, size_t)
    cdef cppclass keys_spans "std::span<const std::span<const std::uint64_t>>":
        keys_spans(const keys_span*, size_t)
    cdef cppclass weights_spans "std::span<const std::span<const std::uint32_t>>":
        weights_spans(const codes_span*, size_t)
    cdef cppclass logs_span "std::span<const corpusprep::TrigramLogs>":
        logs_span(const TrigramLogs*, size_t)
    cdef cppclass folded_span "std::span<const std::uint32_t, corpusprep::CaseFolding::kSize>":
        folded_span(const uint32_t*, size_t)


cdef extern from "languages/listed_words.hpp" namespace "corpusprep" nogil:
    cdef cppclass ListedWords:
        ListedWords(lists_span) except +
        size_t lists() noexcept
        vector[uint32_t] counts(string_view) except +

cdef extern from "languages/page_words.hpp" namespace "corpusprep" nogil:
    cdef cppclass PageBlocks:
        PageBlocks()
        string_view text
        places_span offsets
        places_span pages
        bytes_span preferred
    cdef cppclass PageWords:
        vector[uint32_t] counts
        vector[uint8_t] without_spaces
    PageWords page_words(const ListedWords&, const PageBlocks&, size_t, size_t) except +

cdef extern from "languages/trigrams.hpp" namespace "corpusprep" nogil:
    uint32_t OF_WORD "corpusprep::letter_class::of_word"
    uint32_t letter_of(uint32_t code_point)
    uint32_t class_of(uint32_t letter)

cdef extern from *:
    """
    #include <span>
    #include "languages/running_text.hpp"

    // The counts of the first `size` characters of a str.
    static corpusprep::RunningText running_text_of(PyObject* text, Py_ssize_t size) {
      const auto count = static_cast<std::size_t>(size);
      switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: return corpusprep::running_text(std::span<const Py_UCS1>(PyUnicode_1BYTE_DATA(text), count));
        case PyUnicode_2BYTE_KIND: return corpusprep::running_text(std::span<const Py_UCS2>(PyUnicode_2BYTE_DATA(text), count));
        default: return corpusprep::running_text(std::span<const Py_UCS4>(PyUnicode_4BYTE_DATA(text), count));
      }
    }
    """
    cdef cppclass RunningText "corpusprep::RunningText":
        uint32_t characters
        uint32_t letters
        uint32_t marks
        uint32_t code
        uint32_t words
        uint32_t capitals
        uint32_t pieces
    RunningText running_text_of(str, Py_ssize_t) noexcept

cdef extern from "languages/word_ratios.hpp" namespace "corpusprep" nogil:
    cdef cppclass ratios_span "std::span<const corpusprep::WordRatios* const>":
        ratios_span(const WordRatios* const*, size_t)
    cdef cppclass EvidenceScale:
        double least_ratio
        double most_ratio
        double unit
    cdef cppclass UnequalWords:
        vector[uint64_t] keys
        vector[int32_t] evidence
    cdef cppclass WordRatios:
        WordRatios(keys_span, codes_span) except +
        UnequalWords unequal(const WordRatios&, const EvidenceScale&) except +
    cdef cppclass WordComparison:
        WordComparison(const WordRatios&, ratios_span, const EvidenceScale&) except +
        vector[int64_t] sums(keys_span) except +
        cpp_bool reach(keys_span, places_span) except +

cdef extern from "languages/text_scores.hpp" namespace "corpusprep" nogil:
    const size_t FOLDING_SIZE "corpusprep::CaseFolding::kSize"
    const uint32_t UNKNOWN "corpusprep::CaseFolding::kUnknown"
    cdef cppclass CaseFolding:
        CaseFolding(folded_span) except +
    cdef cppclass TrigramTable:
        TrigramTable(keys_spans, weights_spans) except +
    cdef cppclass WordNumbers:
        WordNumbers(lists_span) except +
        WordNumbers(keys_spans) except +
        @staticmethod
        vector[uint64_t] keys_of(string_view) except +
        codes_span numbers(size_t) noexcept
        size_t size() noexcept
    cdef cppclass TrigramLogs:
        TrigramLogs()
        size_t language
        keys_span keys
        signed_span logs
    cdef cppclass EvidenceLimits:
        EvidenceLimits()
        int32_t trigram_floor
        int32_t trigram_lowest
        int32_t word_floor
    cdef cppclass LanguageEvidence:
        LanguageEvidence(
            logs_span, const WordNumbers&, signed_spans, signed_span, EvidenceLimits
        ) except +
    cdef cppclass TextSums:
        uint64_t trigrams
        uint64_t words
        vector[uint64_t] of_trigrams
        vector[int64_t] of_words
        vector[uint64_t]* keys
    cdef cppclass TextScorer:
        TextScorer(const TrigramTable&, const WordNumbers&, signed_span, size_t, const CaseFolding&) except +
        TextScorer(const TrigramTable&, const WordNumbers&, const LanguageEvidence&, const CaseFolding&) except +
        TextSums zeros() except +
        cpp_bool add(bytes_span, cpp_bool, TextSums&) except +
        cpp_bool add(units_span, cpp_bool, TextSums&) except +
        cpp_bool add(codes_span, cpp_bool, TextSums&) except +


FOLDED = FOLDING_SIZE
NOT_FOLDED = UNKNOWN


def is_word(str text not None):
    cdef Py_UCS4 character
    for character in text:
        if not class_of(letter_of(character)) & OF_WORD:
            return False
    return len(text) > 0


def running_text(str text not None, Py_ssize_t most):
    cdef RunningText counts = running_text_of(text, min(len(text), max(most, 0)))
    return (
        counts.characters,
        counts.letters,
        counts.marks,
        counts.code,
        counts.words,
        counts.capitals,
        counts.pieces,
    )


cdef class NativeWordKeys:
    cdef vector[uint64_t] keys

    def __cinit__(self, bytes words not None):
        self.keys = WordNumbers.keys_of(string_view(<const char*> words, len(words)))

    def __len__(self):
        return self.keys.size()


cdef codes_span of_shares(const uint32_t[::1] shares, NativeWordKeys keys) except *:
    if shares.shape[0] != <Py_ssize_t> keys.keys.size():
        raise ValueError(f"{keys.keys.size()} words, but {shares.shape[0]} shares")
    return codes_span(&shares[0], shares.shape[0]) if shares.shape[0] else codes_span()


cdef EvidenceScale scale_of(double least_ratio, double most_ratio, double unit) except *:
    # The least ratio is above 1, so words without evidence and words of neither language are the same: 0.
    if not 1 < least_ratio <= most_ratio < INFINITY or not 0 < unit * log(most_ratio) < (1 << 31) - 1:
        raise ValueError(f"not a scale of evidence: ratios from {least_ratio} to {most_ratio}, {unit} units")
    cdef EvidenceScale scale
    scale.least_ratio, scale.most_ratio, scale.unit = least_ratio, most_ratio, unit
    return scale


cdef class NativeWordRatios:
    cdef unique_ptr[WordRatios] table
    cdef NativeWordKeys keys
    cdef const uint32_t[::1] shares

    def __cinit__(self, NativeWordKeys keys not None, const uint32_t[::1] shares):
        self.keys, self.shares = keys, shares
        self.table.reset(new WordRatios(keys_span(keys.keys.data(), keys.keys.size()), of_shares(shares, keys)))

    def unequal(self, NativeWordRatios other not None, double least_ratio, double most_ratio, double unit):
        cdef UnequalWords found = self.table.get().unequal(
            other.table.get()[0], scale_of(least_ratio, most_ratio, unit)
        )
        cdef NativeWordKeys words = NativeWordKeys(b"")
        words.keys.swap(found.keys)
        evidence = PyBytes_FromStringAndSize(
            <const char*> found.evidence.data(), found.evidence.size() * sizeof(int32_t)
        )
        return words, evidence


cdef class NativeWordComparison:
    cdef unique_ptr[WordComparison] comparison
    cdef tuple languages

    def __cinit__(
        self, NativeWordRatios own not None, others, double least_ratio, double most_ratio, double unit
    ):
        cdef vector[const WordRatios*] tables
        cdef NativeWordRatios other
        self.languages = own, *others
        for other in self.languages[1:]:
            tables.push_back(other.table.get())
        self.comparison.reset(new WordComparison(
            own.table.get()[0], ratios_span(tables.data(), tables.size()), scale_of(least_ratio, most_ratio, unit)
        ))

    # Keeps the GIL: what was found of words is kept.
    def sums(self, NativeWordKeys words not None):
        return self.comparison.get().sums(keys_span(words.keys.data(), words.keys.size()))

    def reach(self, NativeWordKeys words not None, floors):
        cdef vector[int64_t] least = floors
        if least.size() + 1 != <size_t> len(self.languages):
            raise ValueError(f"{least.size()} floors for {len(self.languages) - 1} languages")
        return self.comparison.get().reach(
            keys_span(words.keys.data(), words.keys.size()), places_span(least.data(), least.size())
        )


cdef class NativeWords:
    cdef unique_ptr[WordNumbers] table
    cdef size_t lists

    def __cinit__(self, lists):
        cdef vector[string_view] views
        cdef bytes text
        for text in lists:
            views.push_back(string_view(<const char*> text, len(text)))
        self.lists = views.size()
        self.table.reset(new WordNumbers(lists_span(views.data(), views.size())))

    @staticmethod
    def of_keys(lists):
        cdef NativeWords words = NativeWords(())
        cdef vector[keys_span] views
        cdef NativeWordKeys one
        for one in lists:
            views.push_back(keys_span(one.keys.data(), one.keys.size()))
        words.lists = views.size()
        words.table.reset(new WordNumbers(keys_spans(views.data(), views.size())))
        return words

    def __len__(self):
        return self.table.get().size()

    def numbers(self, size_t place):
        if place >= self.lists:
            raise IndexError(f"{self.lists} lists, but number {place} was asked for")
        cdef codes_span found = self.table.get().numbers(place)
        return PyBytes_FromStringAndSize(<const char*> found.data(), found.size() * sizeof(uint32_t))


cdef class NativeListedWords:
    cdef unique_ptr[ListedWords] table

    def __cinit__(self, lists):
        cdef vector[string_view] views
        cdef bytes text
        for text in lists:
            views.push_back(string_view(<const char*> text, len(text)))
        self.table.reset(new ListedWords(lists_span(views.data(), views.size())))

    def counts(self, bytes text not None):
        cdef string_view view = string_view(<const char*> text, len(text))
        cdef vector[uint32_t] found
        with nogil:
            found = self.table.get().counts(view)
        return found

    def of_pages(
        self, bytes text not None, const int64_t[::1] offsets, const int64_t[::1] pages, const uint8_t[::1] preferred,
        size_t most_bytes, size_t least_characters,
    ):
        check_ascending(offsets, len(text), "offsets of blocks")
        check_ascending(pages, offsets.shape[0] - 1, "first blocks of pages")
        if preferred.shape[0] != offsets.shape[0] - 1:
            raise ValueError(f"{preferred.shape[0]} marks for {offsets.shape[0] - 1} blocks")
        cdef PageBlocks blocks
        cdef PageWords found
        blocks.text = string_view(<const char*> text, len(text))
        blocks.offsets = places_span(&offsets[0], offsets.shape[0])
        blocks.pages = places_span(&pages[0], pages.shape[0])
        if preferred.shape[0]:
            blocks.preferred = bytes_span(&preferred[0], preferred.shape[0])
        with nogil:
            found = page_words(self.table.get()[0], blocks, most_bytes, least_characters)
        return (
            PyBytes_FromStringAndSize(<const char*> found.counts.data(), found.counts.size() * sizeof(uint32_t)),
            PyBytes_FromStringAndSize(<const char*> found.without_spaces.data(), found.without_spaces.size()),
        )


cdef check_ascending(const int64_t[::1] places, Py_ssize_t most, str what):
    cdef Py_ssize_t place
    if not places.shape[0] or places[0] < 0 or places[places.shape[0] - 1] > most:
        raise ValueError(f"{what}: not from 0 to {most}")
    for place in range(places.shape[0] - 1):
        if places[place] > places[place + 1]:
            raise ValueError(f"{what}: not ascending: {places[place]}, {places[place + 1]}")


cdef class NativeEvidence:
    cdef unique_ptr[LanguageEvidence] evidence
    cdef NativeWords words

    def __cinit__(
        self, languages, keys, logs, NativeWords words not None, word_logs, const int32_t[:, ::1] lowest,
        int32_t trigram_floor, int32_t trigram_lowest, int32_t word_floor,
    ):
        cdef vector[TrigramLogs] spellings
        cdef vector[signed_span] of_words
        cdef TrigramLogs spelling
        cdef EvidenceLimits limits
        cdef const uint64_t[::1] key_view
        cdef const int32_t[::1] log_view
        for language, key_array, log_array in zip(languages, keys, logs, strict=True):
            key_view, log_view = key_array, log_array
            spelling.language = language
            spelling.keys = keys_span(&key_view[0] if key_view.shape[0] else NULL, key_view.shape[0])
            spelling.logs = signed_span(&log_view[0] if log_view.shape[0] else NULL, log_view.shape[0])
            spellings.push_back(spelling)
        for log_array in word_logs:
            log_view = log_array
            of_words.push_back(signed_span(&log_view[0] if log_view.shape[0] else NULL, log_view.shape[0]))
        if of_words.size() > words.lists:
            raise ValueError(f"{of_words.size()} languages, but {words.lists} lists of words")
        limits.trigram_floor, limits.trigram_lowest, limits.word_floor = trigram_floor, trigram_lowest, word_floor
        self.words = words
        cdef size_t values = lowest.shape[0] * lowest.shape[1]
        self.evidence.reset(new LanguageEvidence(
            logs_span(spellings.data(), spellings.size()),
            words.table.get()[0],
            signed_spans(of_words.data(), of_words.size()),
            signed_span(&lowest[0, 0] if values else NULL, values),
            limits,
        ))


cdef class NativeScorer:
    cdef unique_ptr[CaseFolding] folding
    cdef unique_ptr[TrigramTable] table
    cdef unique_ptr[TextScorer] scorer
    cdef NativeWords words
    cdef NativeEvidence evidence

    def __cinit__(
        self, keys, weights, const uint32_t[::1] folded, NativeWords words not None, const int32_t[:, ::1] word_weights,
        NativeEvidence evidence=None,
    ):
        cdef vector[keys_span] key_spans
        cdef vector[codes_span] weight_spans
        cdef const uint64_t[::1] key_view
        cdef const uint32_t[::1] weight_view
        if folded.shape[0] != <Py_ssize_t> FOLDING_SIZE:
            raise ValueError(f"the folding has {folded.shape[0]} code points; it must have {FOLDING_SIZE}")
        self.folding.reset(new CaseFolding(folded_span(&folded[0], FOLDING_SIZE)))
        for key_array, weight_array in zip(keys, weights, strict=True):
            key_view, weight_view = key_array, weight_array
            if key_view.shape[0] != weight_view.shape[0]:
                raise ValueError(f"{key_view.shape[0]} trigrams, but {weight_view.shape[0]} weights")
            if key_view.shape[0]:
                key_spans.push_back(keys_span(&key_view[0], key_view.shape[0]))
                weight_spans.push_back(codes_span(&weight_view[0], weight_view.shape[0]))
            else:
                key_spans.push_back(keys_span())
                weight_spans.push_back(codes_span())
        self.words = words
        self.table.reset(new TrigramTable(
            keys_spans(key_spans.data(), key_spans.size()), weights_spans(weight_spans.data(), weight_spans.size())
        ))
        if evidence is not None:
            self.evidence = evidence
            self.words = evidence.words
            self.scorer.reset(new TextScorer(
                self.table.get()[0],
                evidence.words.table.get()[0],
                evidence.evidence.get()[0],
                self.folding.get()[0],
            ))
            return
        cdef size_t values = word_weights.shape[0] * word_weights.shape[1]
        if word_weights.shape[0] != <Py_ssize_t> len(words):
            raise ValueError(f"{len(words)} words, but {word_weights.shape[0]} rows of weights")
        self.scorer.reset(new TextScorer(
            self.table.get()[0],
            words.table.get()[0],
            signed_span(&word_weights[0, 0] if values else NULL, values),
            word_weights.shape[1],
            self.folding.get()[0],
        ))

    # Keeps the GIL: the scorer caches words and must not be used by two threads at once.
    def sums(self, str text not None, bint reduced, NativeWordKeys words=None):
        cdef TextSums sums = self.scorer.get().zeros()
        if words is not None:
            sums.keys = &words.keys
        cdef size_t length = len(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef cpp_bool known
        if kind == 1:
            known = self.scorer.get().add(bytes_span(<const uint8_t*> data, length), reduced, sums)
        elif kind == 2:
            known = self.scorer.get().add(units_span(<const uint16_t*> data, length), reduced, sums)
        else:
            known = self.scorer.get().add(codes_span(<const uint32_t*> data, length), reduced, sums)
        return (sums.trigrams, sums.of_trigrams, sums.words, sums.of_words) if known else None
