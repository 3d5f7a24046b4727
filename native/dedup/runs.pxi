# Bindings of runs.hpp and merge.hpp.

cdef extern from "dedup/elias.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass NgramCode:
        pass
    cbool decode_ngram(const NgramCode& code, uint32_t n, uint32_t* ids)

cdef extern from "dedup/runs.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass RunSpan:
        uint64_t offset, bytes, entries, checksum

    cdef cppclass CRunsHeader "corpusprep::ngrams::RunsHeader":
        uint64_t n, lexicon, selection, documents, tokens, ngrams, hapaxes, parts
        vector[RunSpan] runs

    CRunsHeader c_read_runs_header "corpusprep::ngrams::read_runs_header"(const string& path) except +raise_python_error

    cdef cppclass RunReader:
        RunReader(const string& path, const RunSpan& span, uint32_t n, size_t buffer_bytes) except +raise_python_error
        cbool next() except +raise_python_error
        const NgramCode& code()
        uint64_t count()

    const uint32_t kMostParts "corpusprep::ngrams::kMostParts"
    const size_t kPartBytesPerId "corpusprep::ngrams::SuffixSorter::kPartBytesPerId"
    const size_t kBytesPerToken "corpusprep::ngrams::StreamRunBuilder::kBytesPerToken"

    cdef cppclass CStreamRunBuilder "corpusprep::ngrams::StreamRunBuilder":
        CStreamRunBuilder(const string& path, const string& tokens, const string& lexicon, uint32_t n,
                          size_t chunk_tokens, uint32_t parts) except +raise_python_error
        void start(const CCandidateFilter* filter) except +raise_python_error
        cbool advance() except +raise_python_error
        void finish() except +raise_python_error

    const size_t kBytesPerWord "corpusprep::ngrams::StreamRunBuilder::kBytesPerWord"

cdef extern from "dedup/merge.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass RunSource:
        string path
        RunSpan span

    void c_merge_runs "corpusprep::ngrams::merge_runs"(
        const vector[RunSource]& sources, uint32_t n, const string& output, size_t buffer_bytes
    ) except +raise_python_error

    cdef cppclass CDuplicateTotals "corpusprep::ngrams::DuplicateTotals":
        uint64_t keys, instances, collisions, checksum

    cdef cppclass CheckedKey:
        pass

    cdef cppclass CDuplicateCollector "corpusprep::ngrams::DuplicateCollector":
        CDuplicateCollector(const vector[RunSource]& sources, uint32_t n, size_t buffer_bytes,
                            vector[uint64_t] word_keys, size_t capacity, const string& spill) except +raise_python_error
        cbool advance(uint64_t entries) except +raise_python_error
        CDuplicateTotals write(const string& path, size_t header_bytes) except +raise_python_error
        vector[CheckedKey] places(const vector[RunSource]& sources, const uint64_t* keys, size_t count,
                                  size_t expected) except +raise_python_error

    const size_t kBytesPerPlace "corpusprep::ngrams::DuplicateCollector::kBytesPerPlace"
    const size_t kBytesPerKey "corpusprep::ngrams::DuplicateCollector::kBytesPerKey"

BYTES_PER_TOKEN = kBytesPerToken
PART_BYTES_PER_TOKEN = kPartBytesPerId
BYTES_PER_KEY = kBytesPerKey
BYTES_PER_PLACE = kBytesPerPlace
BYTES_PER_WORD = kBytesPerWord


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
    parts: int
    runs: list


class DuplicateTotals(NamedTuple):
    keys: int
    instances: int
    collisions: int
    checksum: int


cdef check_chunk(uint32_t n, size_t chunk_tokens):
    check_n(n)
    if not 4 * n <= chunk_tokens < 2**32:
        raise ValueError(f"chunk_tokens must be {4 * n} to {2**32 - 1}, not {chunk_tokens}")


cdef class StreamRunBuilder:
    cdef CandidateFilter candidates
    cdef unique_ptr[CStreamRunBuilder] kernel

    def __cinit__(self, path, tokens, lexicon, uint32_t n, size_t chunk_tokens, uint32_t parts=1):
        check_chunk(n, chunk_tokens)
        check_parts(parts)
        self.kernel.reset(new CStreamRunBuilder(os.fsencode(path), os.fsencode(tokens), os.fsencode(lexicon), n,
                                                chunk_tokens, parts))

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
                      header.hapaxes, header.parts, runs)


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
    check_n(n)
    cdef unique_ptr[RunReader] reader
    cdef vector[uint32_t] ids
    ids.resize(n)
    reader.reset(new RunReader(os.fsencode(run.path), span_of(run), n, 1 << 16))
    ngrams = []
    while reader.get().next():
        if not decode_ngram(reader.get().code(), n, ids.data()):
            raise ValueError(f"{run.path}: an n-gram does not have {n} ids")
        ngrams.append((tuple(ids), reader.get().count()))
    return ngrams


def merge_runs(runs, uint32_t n, output, size_t buffer_bytes):
    check_n(n)
    cdef vector[RunSource] sources = sources_of(runs)
    cdef string target = os.fsencode(output)
    with nogil:
        c_merge_runs(sources, n, target, buffer_bytes)


cdef class DuplicateCollector:
    cdef unique_ptr[CDuplicateCollector] kernel

    def __cinit__(self, runs, uint32_t n, lexicon, size_t buffer_bytes, size_t capacity, spill):
        check_n(n)
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

    def places(self, runs, const uint64_t[::1] keys, size_t expected):
        cdef vector[RunSource] sources = sources_of(runs)
        cdef vector[CheckedKey] found
        if keys.shape[0]:
            with nogil:
                found = self.kernel.get().places(sources, &keys[0], keys.shape[0], expected)
        return (<const char*>found.data())[: found.size() * sizeof(CheckedKey)]
