# Bindings of key_partitions.hpp.

cdef extern from "dedup/key_partitions.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass KeySpan:
        uint64_t offset, keys, checksum

    cdef cppclass KeySource:
        string path
        KeySpan span

    cdef cppclass CKeysHeader "corpusprep::ngrams::KeysHeader":
        uint64_t n, selection, parts, left_out, tokens
        vector[KeySpan] runs

    CKeysHeader read_short_header "corpusprep::ngrams::read_keys_header<std::uint32_t>"(
        const string& path
    ) except +raise_python_error
    CKeysHeader read_long_header "corpusprep::ngrams::read_keys_header<std::uint64_t>"(
        const string& path
    ) except +raise_python_error

    cdef cppclass KeyPartitioner:
        KeyPartitioner(const string& path, uint32_t n, size_t capacity, uint64_t selection,
                       uint32_t parts) except +raise_python_error

    const size_t kMinCapacity "corpusprep::ngrams::KeyPartitioner::kMinCapacity"

    size_t first_partition(size_t part, size_t parts)
    uint64_t c_largest_partition "corpusprep::ngrams::largest_partition"(
        const vector[KeySource]& sources, size_t partitions
    ) except +raise_python_error

    void c_merge_keys "corpusprep::ngrams::merge_keys<std::uint32_t>"(
        const vector[KeySource]& sources, size_t partitions, const string& output, size_t buffer_bytes
    ) except +raise_python_error
    void c_merge_long_keys "corpusprep::ngrams::merge_keys<std::uint64_t>"(
        const vector[KeySource]& sources, size_t partitions, const string& output, size_t buffer_bytes
    ) except +raise_python_error

    cdef cppclass CCandidateTotals "corpusprep::ngrams::CandidateTotals":
        uint64_t keys, candidates

    cdef cppclass CCandidateCounter "corpusprep::ngrams::CandidateCounter":
        CCandidateCounter(const vector[KeySource]& sources, size_t buffer_bytes, const string& output, uint64_t n,
                          uint64_t selection, size_t threads, size_t part, size_t parts) except +raise_python_error
        @staticmethod
        size_t bytes_for(size_t largest, size_t threads)
        cbool advance() except +raise_python_error
        const CCandidateTotals& totals()

    const size_t kBytesPerRun "corpusprep::ngrams::KeyRuns<std::uint32_t>::kBytesPerRun"

    cdef cppclass CCandidatesHeader "corpusprep::ngrams::CandidatesHeader":
        uint64_t n, selection, candidates, cells

    CCandidatesHeader c_read_candidates_header "corpusprep::ngrams::read_candidates_header"(
        const string& path
    ) except +raise_python_error

    void c_join_candidates "corpusprep::ngrams::join_candidates"(
        const vector[string]& parts, const string& output
    ) except +raise_python_error

    cdef cppclass CCandidateFilter "corpusprep::ngrams::CandidateFilter":
        CCandidateFilter(const string& path, size_t first, size_t end) except +raise_python_error
        @staticmethod
        vector[uint64_t] index(const string& path) except +raise_python_error

    const size_t kPartitions "corpusprep::ngrams::kPartitions"

BYTES_PER_RUN = kBytesPerRun
MIN_CAPACITY = kMinCapacity
PARTITIONS = kPartitions


class KeyRun(NamedTuple):
    path: str
    offset: int
    keys: int
    checksum: int


class KeysHeader(NamedTuple):
    n: int
    selection: int
    parts: int
    left_out: int
    tokens: int
    runs: list


class CandidatesHeader(NamedTuple):
    n: int
    selection: int
    candidates: int
    cells: int


class CandidateTotals(NamedTuple):
    keys: int
    candidates: int


def read_keys_header(path, bint all_ngrams=False):
    name = os.fspath(path)
    cdef string source = os.fsencode(path)
    cdef CKeysHeader header = read_long_header(source) if all_ngrams else read_short_header(source)
    runs = [KeyRun(name, run.offset, run.keys, run.checksum) for run in header.runs]
    return KeysHeader(header.n, header.selection, header.parts, header.left_out, header.tokens, runs)


cdef vector[KeySource] key_sources_of(runs) except *:
    cdef vector[KeySource] result
    cdef KeySource source
    for run in runs:
        source.path = os.fsencode(run.path)
        source.span.offset, source.span.keys, source.span.checksum = run.offset, run.keys, run.checksum
        result.push_back(source)
    return result


cdef check_parts(uint32_t parts):
    if not 1 <= parts <= kMostParts:
        raise ValueError(f"parts must be 1 to {kMostParts}, not {parts}")


cdef size_t partitions_of(uint32_t part, uint32_t parts) except *:
    check_parts(parts)
    if part >= parts:
        raise ValueError(f"part must be below {parts}, not {part}")
    return first_partition(part + 1, parts) - first_partition(part, parts)


def largest_partition(runs, uint32_t part=0, uint32_t parts=1):
    cdef vector[KeySource] sources = key_sources_of(runs)
    cdef size_t partitions = partitions_of(part, parts)
    cdef uint64_t largest
    with nogil:
        largest = c_largest_partition(sources, partitions)
    return largest


def merge_keys(runs, output, size_t buffer_bytes, uint32_t part=0, uint32_t parts=1):
    cdef vector[KeySource] sources = key_sources_of(runs)
    cdef string target = os.fsencode(output)
    cdef size_t partitions = partitions_of(part, parts)
    with nogil:
        c_merge_keys(sources, partitions, target, buffer_bytes)


cdef class CandidateCounter:
    cdef unique_ptr[CCandidateCounter] kernel

    def __cinit__(self, runs, size_t buffer_bytes, output, uint64_t n, uint64_t selection, size_t threads=1,
                  uint32_t part=0, uint32_t parts=1):
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        partitions_of(part, parts)  # checks them
        self.kernel.reset(new CCandidateCounter(key_sources_of(runs), buffer_bytes, os.fsencode(output), n, selection,
                                                threads, part, parts))

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


def join_candidates(parts, output):
    cdef vector[string] sources = encoded(parts)
    cdef string target = os.fsencode(output)
    with nogil:
        c_join_candidates(sources, target)


def candidates_header(path):
    cdef CCandidatesHeader header = c_read_candidates_header(os.fsencode(path))
    return CandidatesHeader(header.n, header.selection, header.candidates, header.cells)


def candidates_index(path):
    return CCandidateFilter.index(os.fsencode(path))


cdef class CandidateFilter:
    cdef unique_ptr[CCandidateFilter] kernel

    def __cinit__(self, path, size_t first=0, size_t end=kPartitions):
        if not first <= end <= kPartitions:
            raise ValueError(f"there are no partitions {first} to {end}; there are {kPartitions}")
        cdef string source = os.fsencode(path)
        with nogil:
            self.kernel.reset(new CCandidateFilter(source, first, end))
