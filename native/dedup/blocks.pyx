# cython: language_level=3, boundscheck=False, wraparound=False
"""Block de-duplication (native/dedup/{match,matches,dedup}.hpp)."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.utility cimport move
from libcpp.vector cimport vector

include "../io/errors.pxi"


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)
        const char* data()
        size_t size()


cdef extern from "io/frames.hpp" namespace "corpusprep" nogil:
    size_t kFrameSize, kEndSize
    uint64_t c_longest_record "corpusprep::longest_record"(string_view) except +

    cdef cppclass CStreamHeader "corpusprep::StreamHeader":
        CStreamHeader()
        uint32_t n
        uint64_t keys
        uint64_t keys_checksum

    cdef cppclass CFrameReader "corpusprep::FrameReader":
        cbool done()
        uint64_t checksum()
        uint64_t origin()


cdef extern from "dedup/matches.hpp" namespace "corpusprep::blocks" nogil:
    cdef cppclass CRunMerge "corpusprep::blocks::RunMerge":
        CRunMerge(size_t, const CStreamHeader&, size_t) except +
        void feed(size_t, string_view) except +
        int work() except +
        size_t run()
        uint64_t wanted()
        string& output()

    cdef cppclass CMatchTable "corpusprep::blocks::MatchTable":
        CMatchTable()
        void feed(string_view) except +
        const CFrameReader& stream()
        vector[uint32_t] documents
        vector[uint32_t] blocks
        vector[uint32_t] tokens
        vector[uint32_t] counted


cdef extern from "dedup/match.hpp" namespace "corpusprep::blocks" nogil:
    cdef cppclass CDocumentTable "corpusprep::blocks::DocumentTable":
        vector[uint8_t] kept
        vector[uint64_t] ranks
        vector[uint64_t] block_starts
        vector[uint8_t] classes

    cdef cppclass CMatcher "corpusprep::blocks::Matcher":
        CMatcher(const CStreamHeader&, cbool, vector[string], CDocumentTable, size_t, size_t, size_t) except +
        void filter(const uint64_t*, size_t)
        void feed(string_view) except +raise_python_error
        void finish() except +raise_python_error
        cbool chunk_full()
        uint64_t wrong_document()
        void begin_join(uint64_t) except +
        void join(const uint64_t*, const uint64_t*, const uint32_t*, size_t) except +
        cbool collect() except +raise_python_error
        void start_run() except +
        string_view run_bytes() except +
        uint64_t matches()

    size_t kFeedSize "corpusprep::blocks::Matcher::kFeedSize"
    size_t kMostNgrams "corpusprep::blocks::Matcher::kMostNgrams"
    size_t c_filter_bytes "corpusprep::blocks::KeyFilter::bytes_for"(uint64_t, size_t)
    size_t kBytesPerNgram "corpusprep::blocks::Matcher::kBytesPerNgram"


cdef extern from "dedup/dedup.hpp" namespace "corpusprep::blocks" nogil:
    cdef cppclass CBlockVerdicts "corpusprep::blocks::BlockVerdicts":
        vector[uint32_t] covered
        vector[uint8_t] verdicts

    cdef cppclass CVerdictTable "corpusprep::blocks::VerdictTable":
        CVerdictTable()
        void feed(string_view) except +
        const CFrameReader& stream()
        vector[uint32_t] documents
        vector[uint32_t] blocks
        CBlockVerdicts rows

    cdef cppclass CChoices "corpusprep::blocks::Choices":
        CChoices()
        double threshold
        cbool documents, blocks, smoothing, as_written

    cdef cppclass CVerdictPass "corpusprep::blocks::VerdictPass":
        CVerdictPass(size_t, const CStreamHeader&, const CChoices&, size_t, vector[uint8_t]) except +
        void feed(size_t, string_view) except +
        int work() except +
        size_t batch()
        uint64_t wanted()
        string& output(size_t) except +
        uint64_t documents()

    uint64_t c_document_bytes "corpusprep::blocks::document_bytes"(uint64_t, uint64_t)


def filter_bytes(uint64_t keys, size_t most):
    return c_filter_bytes(keys, most)


def longest_record(bytes end not None):
    return c_longest_record(string_view(<const char*>end, len(end)))


def document_bytes(uint64_t record, uint64_t keys):
    return c_document_bytes(record, keys)


FEED_SIZE = kFeedSize
FRAME_SIZE, END_SIZE = kFrameSize, kEndSize
BYTES_PER_NGRAM = kBytesPerNgram
MOST_NGRAMS = kMostNgrams
NEEDS_INPUT, HAS_OUTPUT, DONE = 0, 1, 2


cdef CStreamHeader matches_header(uint32_t n, uint64_t keys, uint64_t keys_checksum) noexcept:
    cdef CStreamHeader header
    header.n, header.keys, header.keys_checksum = n, keys, keys_checksum
    return header


cdef bytes taken(string& output):
    cdef bytes data = output.data()[: output.size()]
    output.clear()
    output.shrink_to_fit()
    return data


cdef copied(const void* data, size_t count, dtype):
    result = np.empty(count, dtype=dtype)
    cdef uint8_t[::1] view
    if count:
        view = result.view(np.uint8)
        memcpy(&view[0], data, view.shape[0])
    return result


cdef column(vector[uint32_t]& values):
    result = copied(values.data(), values.size(), np.uint32)
    values.clear()
    return result


cdef class Matcher:
    cdef unique_ptr[CMatcher] kernel

    def __init__(
        self, uint32_t n, uint64_t keys, uint64_t keys_checksum, cbool count_punctuation, stop_words,
        const uint8_t[::1] kept, const uint64_t[::1] ranks, const uint64_t[::1] block_starts,
        const uint8_t[::1] classes, size_t capacity, size_t store_size, size_t filter_bytes=0,
    ):
        if not 1 <= capacity <= kMostNgrams:
            raise ValueError(f"capacity must be 1 to {kMostNgrams}, not {capacity}")
        if filter_bytes and (filter_bytes < 8 or filter_bytes & (filter_bytes - 1)):
            raise ValueError(f"filter_bytes must be 0 or a power of two of at least 8, not {filter_bytes}")
        if n == 0 or ranks.shape[0] != kept.shape[0] or block_starts.shape[0] != kept.shape[0] + 1:
            raise ValueError("n must be 1 or more, and the arrays of documents must have the same length")
        cdef vector[string] words = [word.encode() for word in stop_words]
        cdef CDocumentTable table
        cdef Py_ssize_t i
        for i in range(block_starts.shape[0]):
            if block_starts[i] > <size_t>classes.shape[0] or (i and block_starts[i] < block_starts[i - 1]):
                raise ValueError("block_starts must ascend within classes")
        if kept.shape[0]:
            table.kept.assign(&kept[0], &kept[0] + kept.shape[0])
            table.ranks.assign(&ranks[0], &ranks[0] + ranks.shape[0])
        table.block_starts.assign(&block_starts[0], &block_starts[0] + block_starts.shape[0])
        if classes.shape[0]:
            table.classes.assign(&classes[0], &classes[0] + classes.shape[0])
        self.kernel.reset(
            new CMatcher(
                matches_header(n, keys, keys_checksum), count_punctuation, words, move(table), capacity,
                store_size, filter_bytes,
            )
        )

    def filter(self, const uint64_t[::1] keys):
        if keys.shape[0]:
            with nogil:
                self.kernel.get().filter(&keys[0], keys.shape[0])

    def feed(self, const uint8_t[::1] data):
        if data.shape[0] > <Py_ssize_t>kFeedSize:
            raise ValueError(f"{data.shape[0]} bytes at once; at most {kFeedSize} are allowed")
        if data.shape[0]:
            with nogil:
                self.kernel.get().feed(string_view(<const char*>&data[0], data.shape[0]))

    def finish(self):
        self.kernel.get().finish()

    @property
    def chunk_full(self):
        return self.kernel.get().chunk_full()

    @property
    def wrong_document(self):
        return self.kernel.get().wrong_document()

    def begin_join(self, uint64_t keys):
        with nogil:
            self.kernel.get().begin_join(keys)

    def join(self, const uint64_t[::1] keys, const uint64_t[::1] numbers, const uint32_t[::1] checks=None):
        cdef const uint32_t* first_check = NULL
        if keys.shape[0] != numbers.shape[0] or (checks is not None and checks.shape[0] != keys.shape[0]):
            raise ValueError("each key must have a number, and a check or none")
        if keys.shape[0]:
            if checks is not None:
                first_check = &checks[0]
            with nogil:
                self.kernel.get().join(&keys[0], &numbers[0], first_check, keys.shape[0])

    def collect(self):
        cdef cbool complete
        with nogil:
            complete = self.kernel.get().collect()
        return complete

    def run(self):
        self.kernel.get().start_run()
        cdef string_view piece
        while True:
            with nogil:
                piece = self.kernel.get().run_bytes()
            if piece.size() == 0:
                return
            yield piece.data()[: piece.size()]

    @property
    def matches(self):
        return self.kernel.get().matches()


cdef class RunMerge:
    cdef unique_ptr[CRunMerge] kernel

    def __init__(self, size_t runs, uint32_t n, uint64_t keys, uint64_t keys_checksum, size_t output_size):
        self.kernel.reset(new CRunMerge(runs, matches_header(n, keys, keys_checksum), output_size))

    def feed(self, size_t stream, bytes data):
        self.kernel.get().feed(stream, string_view(<const char*>data, len(data)))

    def work(self):
        cdef int state
        with nogil:
            state = self.kernel.get().work()
        return state

    @property
    def stream(self):
        return self.kernel.get().run()

    @property
    def wanted(self):
        return self.kernel.get().wanted()

    def output(self, size_t stream):
        return taken(self.kernel.get().output())


cdef class VerdictPass:
    cdef unique_ptr[CVerdictPass] kernel

    def __init__(
        self, size_t batches, uint32_t n, uint64_t keys, uint64_t keys_checksum, double threshold,
        size_t output_size, cbool documents=False, cbool blocks=True, cbool smoothing=True, cbool as_written=False,
        bytes near_duplicates=b"",
    ):
        if not (documents or blocks) or (as_written and (documents or not blocks)):
            raise ValueError("documents, blocks or both must be chosen, and as_written with blocks alone")
        cdef CChoices choices
        choices.threshold, choices.smoothing, choices.as_written = threshold, smoothing, as_written
        choices.documents, choices.blocks = documents, blocks
        cdef const char* first = near_duplicates
        cdef vector[uint8_t] left_out
        left_out.assign(first, first + len(near_duplicates))
        self.kernel.reset(
            new CVerdictPass(batches, matches_header(n, keys, keys_checksum), choices, output_size, move(left_out))
        )

    def feed(self, size_t stream, bytes data):
        self.kernel.get().feed(stream, string_view(<const char*>data, len(data)))

    def work(self):
        cdef int state
        with nogil:
            state = self.kernel.get().work()
        return state

    @property
    def stream(self):
        return self.kernel.get().batch()

    @property
    def wanted(self):
        return self.kernel.get().wanted()

    def output(self, size_t stream):
        return taken(self.kernel.get().output(stream))

    @property
    def documents(self):
        return self.kernel.get().documents()


cdef class MatchTable:
    cdef CMatchTable kernel

    def feed(self, bytes data):
        cdef string_view view = string_view(<const char*>data, len(data))
        with nogil:
            self.kernel.feed(view)

    @property
    def checksum(self):
        return self.kernel.stream().checksum()

    def columns(self):
        return (
            column(self.kernel.documents), column(self.kernel.blocks), column(self.kernel.tokens),
            column(self.kernel.counted),
        )


cdef class VerdictTable:
    cdef CVerdictTable kernel

    def feed(self, bytes data):
        cdef string_view view = string_view(<const char*>data, len(data))
        with nogil:
            self.kernel.feed(view)

    @property
    def origin(self):
        return self.kernel.stream().origin()

    def columns(self):
        cdef CBlockVerdicts* rows = &self.kernel.rows
        codes = copied(rows.verdicts.data(), rows.verdicts.size(), np.uint8)
        rows.verdicts.clear()
        return column(self.kernel.documents), column(self.kernel.blocks), column(rows.covered), codes


include "clusters.pxi"
