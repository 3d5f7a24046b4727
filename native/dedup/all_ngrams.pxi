# Bindings of all_ngrams.hpp.

cdef extern from "dedup/all_ngrams.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass CNgramPartitioner "corpusprep::ngrams::NgramPartitioner":
        CNgramPartitioner(const string& path, uint32_t n, size_t capacity, DocumentMask mask,
                          uint32_t parts) except +raise_python_error
        void feed(string_view chunk) except +raise_python_error
        void finish() except +raise_python_error
        uint64_t documents()

    const size_t kBytesPerLongKey "corpusprep::ngrams::NgramPartitioner::kBytesPerKey"

    cdef cppclass CRepeatedTotals "corpusprep::ngrams::RepeatedTotals":
        uint64_t types, instances

    cdef cppclass CRepeatedNgramCounter "corpusprep::ngrams::RepeatedNgramCounter":
        CRepeatedNgramCounter(vector[KeySource] sources, size_t partitions, size_t buffer_bytes,
                              size_t slices) except +raise_python_error
        @staticmethod
        size_t bytes_for(size_t largest, size_t slices)
        cbool advance() except +raise_python_error
        const CRepeatedTotals& totals()

BYTES_PER_LONG_KEY = kBytesPerLongKey


class RepeatedTotals(NamedTuple):
    types: int
    instances: int


cdef class NgramPartitioner:
    cdef unique_ptr[CNgramPartitioner] kernel

    def __cinit__(self, path, uint32_t n, size_t capacity, bytes documents=None, uint32_t parts=1):
        check_n(n)
        check_parts(parts)
        if capacity < kMinCapacity:
            raise ValueError(f"capacity must be {kMinCapacity} or more, not {capacity}")
        self.kernel.reset(new CNgramPartitioner(os.fsencode(path), n, capacity, mask_of(documents), parts))

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


def merge_long_keys(runs, output, size_t buffer_bytes, uint32_t part=0, uint32_t parts=1):
    cdef vector[KeySource] sources = key_sources_of(runs)
    cdef string target = os.fsencode(output)
    cdef size_t partitions = partitions_of(part, parts)
    with nogil:
        c_merge_long_keys(sources, partitions, target, buffer_bytes)


cdef class RepeatedNgramCounter:
    cdef unique_ptr[CRepeatedNgramCounter] kernel

    def __cinit__(self, runs, size_t buffer_bytes, uint32_t part=0, uint32_t parts=1, size_t slices=1):
        if slices < 1:
            raise ValueError(f"slices must be 1 or more, not {slices}")
        self.kernel.reset(new CRepeatedNgramCounter(key_sources_of(runs), partitions_of(part, parts), buffer_bytes,
                                                    slices))

    @staticmethod
    def bytes_for(size_t largest, size_t slices=1):
        return CRepeatedNgramCounter.bytes_for(largest, slices)

    def advance(self):
        cdef cbool more
        with nogil:
            more = self.kernel.get().advance()
        return more

    @property
    def totals(self):
        cdef CRepeatedTotals totals = self.kernel.get().totals()
        return RepeatedTotals(totals.types, totals.instances)
