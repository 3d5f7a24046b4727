# distutils: language = c++
# cython: language_level=3, boundscheck=False
"""Duplicate n-grams: word lists, the lexicon, compressed runs, their merge. See ngrams.pyi."""

import os

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.map cimport map as cmap
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.utility cimport move
from libcpp.vector cimport vector

from typing import NamedTuple

cdef extern from *:
    """
    #include <cerrno>
    #include <new>
    #include <stdexcept>
    #include "io/stage_file.hpp"

    static void raise_project_error(const char* name, const char* message) {
      PyObject* module = PyImport_ImportModule("corpusprep.errors");
      PyObject* type = module ? PyObject_GetAttrString(module, name) : nullptr;
      if (type) PyErr_SetString(type, message);
      Py_XDECREF(type);
      Py_XDECREF(module);
    }

    // What a kernel throws, as the error a user can act on.
    static void raise_python_error() {
      try {
        throw;
      } catch (const corpusprep::DamagedFile& error) {
        raise_project_error("StageFileError", error.what());
      } catch (const corpusprep::FileError& error) {
        if (error.code == ENOENT) {
          raise_project_error("StageFileError",
                              (error.path + ": no such file; run the step that writes it first").c_str());
        } else {
          errno = error.code;
          PyErr_SetFromErrnoWithFilename(PyExc_OSError, error.path.c_str());
        }
      } catch (const std::length_error& error) {
        raise_project_error("ResourceError", error.what());
      } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
      } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
      }
    }
    """
    void raise_python_error()

cdef extern from "common/hash.hpp" namespace "corpusprep" nogil:
    uint64_t c_word_key "corpusprep::word_key"(string_view word)
    uint64_t c_ngram_key "corpusprep::ngram_key"(const uint64_t* word_keys, size_t n)

cdef extern from "text/vertical.hpp" namespace "corpusprep" nogil:
    cdef cppclass TokenSelection:
        TokenSelection(cbool count_punctuation, vector[string] stop_words) except +raise_python_error

cdef extern from "io/stage_file.hpp" namespace "corpusprep" nogil:
    cdef cppclass Checksum:
        void update(const void* data, size_t size)
        uint64_t value()

cdef extern from "dedup/token_stream.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass TokenStreamWriter:
        TokenStreamWriter(const string& path, uint64_t selection) except +raise_python_error

    cdef cppclass CTokenStreamHeader "corpusprep::ngrams::TokenStreamHeader":
        uint64_t selection, documents, tokens, most_words

    CTokenStreamHeader c_read_token_stream_header "corpusprep::ngrams::read_token_stream_header"(
        const string& path
    ) except +raise_python_error

cdef extern from "dedup/key_partitions.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass KeySpan:
        uint64_t offset, keys, checksum

    cdef cppclass KeySource:
        string path
        KeySpan span

    cdef cppclass CKeysHeader "corpusprep::ngrams::KeysHeader":
        uint64_t n, selection
        vector[KeySpan] runs

    CKeysHeader c_read_keys_header "corpusprep::ngrams::read_keys_header"(const string& path) except +raise_python_error

    cdef cppclass KeyPartitioner:
        KeyPartitioner(const string& path, uint32_t n, size_t capacity, uint64_t selection) except +raise_python_error

    const size_t kLeastKeys "corpusprep::ngrams::KeyPartitioner::kLeastKeys"

    void c_merge_keys "corpusprep::ngrams::merge_keys"(
        const vector[KeySource]& sources, const string& output, size_t buffer_bytes
    ) except +raise_python_error

    cdef cppclass CCandidateTotals "corpusprep::ngrams::CandidateTotals":
        uint64_t keys, candidates

    cdef cppclass CCandidateCounter "corpusprep::ngrams::CandidateCounter":
        CCandidateCounter(const vector[KeySource]& sources, size_t buffer_bytes, const string& output, uint64_t n,
                          uint64_t selection, size_t threads) except +raise_python_error
        @staticmethod
        size_t bytes_for(size_t largest, size_t threads)
        cbool advance() except +raise_python_error
        const CCandidateTotals& totals()

    const size_t kRunState "corpusprep::ngrams::CandidateCounter::kRunState"

    cdef cppclass CCandidatesHeader "corpusprep::ngrams::CandidatesHeader":
        uint64_t n, selection, candidates, blocks

    CCandidatesHeader c_read_candidates_header "corpusprep::ngrams::read_candidates_header"(
        const string& path
    ) except +raise_python_error

    cdef cppclass CCandidateFilter "corpusprep::ngrams::CandidateFilter":
        CCandidateFilter(const string& path, size_t first, size_t end) except +raise_python_error
        @staticmethod
        vector[uint64_t] index(const string& path) except +raise_python_error

    const size_t kPartitions "corpusprep::ngrams::PartitionKey::kPartitions"

cdef extern from "dedup/word_list.hpp" namespace "corpusprep::ngrams" nogil:
    cdef enum class WordListKind:
        words
        lexicon

    cdef cppclass CWordListHeader "corpusprep::ngrams::WordListHeader":
        uint64_t words, hapaxes, tokens, checksum

    cdef cppclass WordListReader:
        WordListReader(const string& path, WordListKind kind) except +raise_python_error
        const CWordListHeader& header()
        cmap[uint64_t, uint64_t] histogram() except +raise_python_error
        cbool next() except +raise_python_error
        string_view word()
        uint64_t frequency()

    CWordListHeader c_merge_words "corpusprep::ngrams::merge_words"(
        const vector[string]& paths, const string& output, WordListKind kind, size_t buffer_bytes
    ) except +raise_python_error

    cdef cppclass DocumentMask:
        DocumentMask()
        DocumentMask(vector[uint8_t] taken)

    cdef cppclass CWordCounter "corpusprep::ngrams::WordCounter":
        CWordCounter(DocumentMask mask) except +raise_python_error
        CWordCounter(DocumentMask mask, TokenSelection selection, unique_ptr[TokenStreamWriter] tokens,
                     unique_ptr[KeyPartitioner] keys) except +raise_python_error
        void feed(string_view chunk) except +raise_python_error
        void finish() except +raise_python_error
        uint64_t documents()
        size_t bytes()
        cbool full()
        void write(const string& path) except +raise_python_error
        void close() except +raise_python_error

cdef extern from "dedup/lexicon.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass CLexicon "corpusprep::ngrams::Lexicon":
        CLexicon(const string& path, TokenSelection selection) except +raise_python_error
        @staticmethod
        size_t bytes_for(const CWordListHeader& header)

    vector[uint64_t] lexicon_keys(const string& path, CWordListHeader& header) except +raise_python_error

cdef extern from "dedup/elias.hpp" namespace "corpusprep::ngrams" nogil:
    const uint32_t kLongestNgram
    cdef cppclass NgramCode:
        pass
    cbool decode_ngram(const NgramCode& code, uint32_t n, uint32_t* ids)

cdef extern from "dedup/runs.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass RunSpan:
        uint64_t offset, bytes, entries, checksum

    cdef cppclass CRunsHeader "corpusprep::ngrams::RunsHeader":
        uint64_t n, lexicon, selection, documents, tokens, ngrams, hapaxes
        vector[RunSpan] runs

    CRunsHeader c_read_runs_header "corpusprep::ngrams::read_runs_header"(const string& path) except +raise_python_error

    cdef cppclass RunReader:
        RunReader(const string& path, const RunSpan& span, uint32_t n, size_t buffer_bytes) except +raise_python_error
        cbool next() except +raise_python_error
        const NgramCode& code()
        uint64_t count()

    cdef cppclass CRunBuilder "corpusprep::ngrams::RunBuilder":
        CRunBuilder(const string& path, const CLexicon& lexicon, uint32_t n, size_t chunk_tokens, DocumentMask mask,
                    uint64_t selection) except +raise_python_error
        void feed(string_view chunk) except +raise_python_error
        void finish() except +raise_python_error
        uint64_t documents()
        size_t runs()

    const size_t kBytesAToken "corpusprep::ngrams::RunBuilder::kBytesAToken"

    cdef cppclass CStreamRunBuilder "corpusprep::ngrams::StreamRunBuilder":
        CStreamRunBuilder(const string& path, const string& tokens, const string& lexicon, uint32_t n,
                          size_t chunk_tokens) except +raise_python_error
        void start(const CCandidateFilter* filter) except +raise_python_error
        cbool advance() except +raise_python_error
        void finish() except +raise_python_error

    const size_t kBytesAWord "corpusprep::ngrams::StreamRunBuilder::kBytesAWord"

cdef extern from "dedup/merge.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass RunSource:
        string path
        RunSpan span

    void c_merge_runs "corpusprep::ngrams::merge_runs"(
        const vector[RunSource]& sources, uint32_t n, const string& output, size_t buffer_bytes
    ) except +raise_python_error

    cdef cppclass CDuplicateTotals "corpusprep::ngrams::DuplicateTotals":
        uint64_t keys, instances, collisions, checksum

    cdef cppclass CDuplicateCollector "corpusprep::ngrams::DuplicateCollector":
        CDuplicateCollector(const vector[RunSource]& sources, uint32_t n, size_t buffer_bytes,
                            vector[uint64_t] word_keys, size_t capacity, const string& spill) except +raise_python_error
        cbool advance(uint64_t entries) except +raise_python_error
        CDuplicateTotals write(const string& path, size_t header_bytes) except +raise_python_error

    const size_t kBytesAKey "corpusprep::ngrams::DuplicateCollector::kBytesAKey"

LONGEST_NGRAM = kLongestNgram
BYTES_A_TOKEN = kBytesAToken
BYTES_A_KEY = kBytesAKey
BYTES_A_WORD = kBytesAWord
RUN_STATE = kRunState
LEAST_KEYS = kLeastKeys
PARTITIONS = kPartitions


class WordListHeader(NamedTuple):
    words: int
    hapaxes: int
    tokens: int
    checksum: int
    memory: int


class Run(NamedTuple):
    path: str
    offset: int
    bytes: int
    entries: int
    checksum: int


class RunsHeader(NamedTuple):
    n: int
    lexicon: int
    selection: int
    documents: int
    tokens: int
    ngrams: int
    hapaxes: int
    runs: list


class TokenStreamHeader(NamedTuple):
    selection: int
    documents: int
    tokens: int
    most_words: int


class KeyRun(NamedTuple):
    path: str
    offset: int
    keys: int
    checksum: int


class KeysHeader(NamedTuple):
    n: int
    selection: int
    runs: list


class CandidatesHeader(NamedTuple):
    n: int
    selection: int
    candidates: int
    blocks: int


class CandidateTotals(NamedTuple):
    keys: int
    candidates: int


class DuplicateTotals(NamedTuple):
    keys: int
    instances: int
    collisions: int
    checksum: int


cdef inline string_view view(bytes data) noexcept:
    return string_view(PyBytes_AS_STRING(data), <size_t>PyBytes_GET_SIZE(data))


cdef DocumentMask mask_of(bytes documents) except *:
    cdef vector[uint8_t] taken
    if documents is None:
        return DocumentMask()
    taken.reserve(len(documents))
    for document in documents:
        taken.push_back(document)
    return DocumentMask(taken)


cdef unique_ptr[TokenSelection] selection_of(bint count_punctuation, stop_words) except *:
    cdef vector[string] words
    cdef unique_ptr[TokenSelection] selection
    for word in stop_words:
        words.push_back(word.encode())
    selection.reset(new TokenSelection(count_punctuation, words))
    return move(selection)


cdef object header_of(const CWordListHeader& header):
    return WordListHeader(header.words, header.hapaxes, header.tokens, header.checksum,
                          CLexicon.bytes_for(header))


cdef WordListKind kind_of(str kind) except *:
    if kind == "words":
        return WordListKind.words
    if kind == "lexicon":
        return WordListKind.lexicon
    raise ValueError(f"a word list is of the kind words or lexicon, not {kind}")


cdef vector[string] encoded(paths) except *:
    cdef vector[string] result
    for path in paths:
        result.push_back(os.fsencode(path))
    return result


def checksum(data not None):
    return checksum_of_pieces((data,))


def checksum_of_pieces(pieces):
    cdef Checksum result
    cdef const unsigned char[::1] buffer
    cdef size_t length
    for data in pieces:
        length = len(data)
        if length:
            buffer = memoryview(data).cast("B")
            length = buffer.shape[0]
            with nogil:
                result.update(&buffer[0], length)
    return result.value()


def word_key(bytes word not None):
    return c_word_key(view(word))


def ngram_key(words):
    cdef vector[uint64_t] keys
    for word in words:
        keys.push_back(word_key(word))
    return c_ngram_key(keys.data(), keys.size())


def word_list_header(path, str kind="words"):
    cdef unique_ptr[WordListReader] reader
    reader.reset(new WordListReader(os.fsencode(path), kind_of(kind)))
    return header_of(reader.get().header())


def read_words(path, str kind="words"):
    cdef unique_ptr[WordListReader] reader
    reader.reset(new WordListReader(os.fsencode(path), kind_of(kind)))
    words = []
    while reader.get().next():
        words.append((<bytes>reader.get().word(), reader.get().frequency()))
    return words


def merge_words(paths, output, str kind, size_t buffer_bytes):
    cdef vector[string] sources = encoded(paths)
    cdef string target = os.fsencode(output)
    cdef WordListKind of_kind = kind_of(kind)
    cdef CWordListHeader header
    with nogil:
        header = c_merge_words(sources, target, of_kind, buffer_bytes)
    return header_of(header)


cdef class WordCounter:
    cdef unique_ptr[CWordCounter] kernel

    def __cinit__(self, bytes documents=None, tokens=None, keys=None, uint32_t n=0, size_t capacity=0,
                  bint count_punctuation=True, stop_words=(), uint64_t selection=0):
        cdef unique_ptr[TokenStreamWriter] token_writer
        cdef unique_ptr[KeyPartitioner] key_writer
        cdef unique_ptr[TokenSelection] counted = selection_of(count_punctuation, stop_words)
        if tokens is not None:
            token_writer.reset(new TokenStreamWriter(os.fsencode(tokens), selection))
        if keys is not None:
            if not 1 <= n <= kLongestNgram:
                raise ValueError(f"n must be 1 to {kLongestNgram}, not {n}")
            if capacity < kLeastKeys:
                raise ValueError(f"capacity must be {kLeastKeys} or more, not {capacity}")
            key_writer.reset(new KeyPartitioner(os.fsencode(keys), n, capacity, selection))
        self.kernel.reset(new CWordCounter(mask_of(documents), counted.get()[0], move(token_writer),
                                           move(key_writer)))

    def feed(self, bytes chunk not None):
        cdef string_view data = view(chunk)
        with nogil:
            self.kernel.get().feed(data)

    def finish(self):
        self.kernel.get().finish()

    @property
    def documents(self):
        return self.kernel.get().documents()

    @property
    def memory(self):
        return self.kernel.get().bytes()

    @property
    def full(self):
        return self.kernel.get().full()

    def write(self, path):
        cdef string target = os.fsencode(path)
        with nogil:
            self.kernel.get().write(target)

    def close(self):
        with nogil:
            self.kernel.get().close()


cdef class Lexicon:
    cdef unique_ptr[CLexicon] kernel

    def __cinit__(self, path, bint count_punctuation, stop_words):
        cdef string source = os.fsencode(path)
        cdef unique_ptr[TokenSelection] selection = selection_of(count_punctuation, stop_words)
        with nogil:
            self.kernel.reset(new CLexicon(source, selection.get()[0]))


cdef check_chunk(uint32_t n, size_t chunk_tokens):
    if not 1 <= n <= kLongestNgram:
        raise ValueError(f"n must be 1 to {kLongestNgram}, not {n}")
    if not 4 * n <= chunk_tokens < 2**32:
        raise ValueError(f"chunk_tokens must be {4 * n} to {2**32 - 1}, not {chunk_tokens}")


cdef class RunBuilder:
    cdef Lexicon lexicon
    cdef unique_ptr[CRunBuilder] kernel

    def __cinit__(self, path, Lexicon lexicon not None, uint32_t n, size_t chunk_tokens, bytes documents=None,
                 uint64_t selection=0):
        check_chunk(n, chunk_tokens)
        self.lexicon = lexicon
        self.kernel.reset(new CRunBuilder(os.fsencode(path), lexicon.kernel.get()[0], n, chunk_tokens,
                                          mask_of(documents), selection))

    def feed(self, bytes chunk not None):
        cdef string_view data = view(chunk)
        with nogil:
            self.kernel.get().feed(data)

    def finish(self):
        with nogil:
            self.kernel.get().finish()

    @property
    def documents(self):
        return self.kernel.get().documents()

    @property
    def runs(self):
        return self.kernel.get().runs()


def token_stream_header(path):
    cdef CTokenStreamHeader header = c_read_token_stream_header(os.fsencode(path))
    return TokenStreamHeader(header.selection, header.documents, header.tokens, header.most_words)


def read_keys_header(path):
    name = os.fspath(path)
    cdef CKeysHeader header = c_read_keys_header(os.fsencode(path))
    runs = [KeyRun(name, run.offset, run.keys, run.checksum) for run in header.runs]
    return KeysHeader(header.n, header.selection, runs)


cdef vector[KeySource] key_sources_of(runs) except *:
    cdef vector[KeySource] result
    cdef KeySource source
    for run in runs:
        source.path = os.fsencode(run.path)
        source.span.offset, source.span.keys, source.span.checksum = run.offset, run.keys, run.checksum
        result.push_back(source)
    return result


def merge_keys(runs, output, size_t buffer_bytes):
    cdef vector[KeySource] sources = key_sources_of(runs)
    cdef string target = os.fsencode(output)
    with nogil:
        c_merge_keys(sources, target, buffer_bytes)


cdef class CandidateCounter:
    cdef unique_ptr[CCandidateCounter] kernel

    def __cinit__(self, runs, size_t buffer_bytes, output, uint64_t n, uint64_t selection, size_t threads=1):
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        self.kernel.reset(new CCandidateCounter(key_sources_of(runs), buffer_bytes, os.fsencode(output), n, selection,
                                                threads))

    @staticmethod
    def bytes_for(size_t largest, size_t threads=1):
        return CCandidateCounter.bytes_for(largest, threads)

    def advance(self):
        cdef cbool more
        with nogil:
            more = self.kernel.get().advance()
        return more

    @property
    def totals(self):
        cdef CCandidateTotals totals = self.kernel.get().totals()
        return CandidateTotals(totals.keys, totals.candidates)


def candidates_header(path):
    cdef CCandidatesHeader header = c_read_candidates_header(os.fsencode(path))
    return CandidatesHeader(header.n, header.selection, header.candidates, header.blocks)


def candidates_index(path):
    return CCandidateFilter.index(os.fsencode(path))


cdef class CandidateFilter:
    cdef unique_ptr[CCandidateFilter] kernel

    def __cinit__(self, path, size_t first=0, size_t end=kPartitions):
        if not first <= end <= kPartitions:
            raise ValueError(f"partitions {first} to {end} of {kPartitions}")
        cdef string source = os.fsencode(path)
        with nogil:
            self.kernel.reset(new CCandidateFilter(source, first, end))


cdef class StreamRunBuilder:
    cdef CandidateFilter candidates
    cdef unique_ptr[CStreamRunBuilder] kernel

    def __cinit__(self, path, tokens, lexicon, uint32_t n, size_t chunk_tokens):
        check_chunk(n, chunk_tokens)
        self.kernel.reset(new CStreamRunBuilder(os.fsencode(path), os.fsencode(tokens), os.fsencode(lexicon), n,
                                                chunk_tokens))

    def start(self, CandidateFilter candidates=None):
        self.candidates = candidates
        self.kernel.get().start(candidates.kernel.get() if candidates is not None else NULL)

    def advance(self):
        cdef cbool more
        with nogil:
            more = self.kernel.get().advance()
        return more

    def finish(self):
        with nogil:
            self.kernel.get().finish()


def read_runs_header(path):
    name = os.fspath(path)
    cdef CRunsHeader header = c_read_runs_header(os.fsencode(path))
    runs = [Run(name, run.offset, run.bytes, run.entries, run.checksum) for run in header.runs]
    return RunsHeader(header.n, header.lexicon, header.selection, header.documents, header.tokens, header.ngrams,
                      header.hapaxes, runs)


cdef RunSpan span_of(run) except *:
    cdef RunSpan span
    span.offset, span.bytes, span.entries, span.checksum = run.offset, run.bytes, run.entries, run.checksum
    return span


cdef vector[RunSource] sources_of(runs) except *:
    cdef vector[RunSource] result
    cdef RunSource source
    for run in runs:
        source.path = os.fsencode(run.path)
        source.span = span_of(run)
        result.push_back(source)
    return result


def read_run(run, uint32_t n):
    if not 1 <= n <= kLongestNgram:
        raise ValueError(f"n must be 1 to {kLongestNgram}, not {n}")
    cdef unique_ptr[RunReader] reader
    cdef vector[uint32_t] ids
    ids.resize(n)
    reader.reset(new RunReader(os.fsencode(run.path), span_of(run), n, 1 << 16))
    ngrams = []
    while reader.get().next():
        if not decode_ngram(reader.get().code(), n, ids.data()):
            raise ValueError(f"{run.path}: an n-gram that is not of {n} ids")
        ngrams.append((tuple(ids), reader.get().count()))
    return ngrams


def merge_runs(runs, uint32_t n, output, size_t buffer_bytes):
    if not 1 <= n <= kLongestNgram:
        raise ValueError(f"n must be 1 to {kLongestNgram}, not {n}")
    cdef vector[RunSource] sources = sources_of(runs)
    cdef string target = os.fsencode(output)
    with nogil:
        c_merge_runs(sources, n, target, buffer_bytes)


cdef class DuplicateCollector:
    cdef unique_ptr[CDuplicateCollector] kernel

    def __cinit__(self, runs, uint32_t n, lexicon, size_t buffer_bytes, size_t capacity, spill):
        if not 1 <= n <= kLongestNgram:
            raise ValueError(f"n must be 1 to {kLongestNgram}, not {n}")
        if capacity < 1:
            raise ValueError("capacity must be 1 or more")
        cdef vector[RunSource] sources = sources_of(runs)
        cdef string path = os.fsencode(lexicon), spilled = os.fsencode(spill)
        cdef CWordListHeader header
        cdef vector[uint64_t] keys
        with nogil:
            keys = lexicon_keys(path, header)
            self.kernel.reset(new CDuplicateCollector(sources, n, buffer_bytes, move(keys), capacity, spilled))

    def advance(self, uint64_t entries):
        cdef cbool more
        with nogil:
            more = self.kernel.get().advance(entries)
        return more

    def write(self, path, size_t header_bytes):
        cdef string target = os.fsencode(path)
        cdef CDuplicateTotals totals
        with nogil:
            totals = self.kernel.get().write(target, header_bytes)
        return DuplicateTotals(totals.keys, totals.instances, totals.collisions, totals.checksum)
