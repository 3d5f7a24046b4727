# Clusters of near-duplicates (dedup/clusters.hpp).

cdef extern from "dedup/clusters.hpp" namespace "corpusprep::blocks" nogil:
    cdef cppclass CClusterCandidates "corpusprep::blocks::ClusterCandidates":
        CClusterCandidates(double) except +
        void feed(string_view) except +
        vector[uint32_t] documents
        vector[uint32_t] ngrams
        vector[uint32_t] sizes
        vector[uint64_t] ranks
        vector[uint64_t] keys

    cdef cppclass CClusterPass "corpusprep::blocks::ClusterPass":
        CClusterPass(double, size_t, size_t, size_t) except +
        void count(const uint64_t*, size_t)
        uint64_t document(uint64_t, uint32_t, const uint64_t*, size_t, uint64_t&, uint64_t&) except +
        void restart()

    uint64_t kUndecided "corpusprep::blocks::ClusterPass::kUndecided"
    size_t kBytesPerEntry "corpusprep::blocks::ClusterPass::kBytesPerEntry"


UNDECIDED = kUndecided
BYTES_PER_ENTRY = kBytesPerEntry


cdef long_column(vector[uint64_t]& values):
    result = copied(values.data(), values.size(), np.uint64)
    values.clear()
    return result


cdef class ClusterCandidates:
    cdef unique_ptr[CClusterCandidates] kernel

    def __init__(self, double share):
        if not 0 < share <= 1:
            raise ValueError(f"share {share}: must be over 0 and at most 1")
        self.kernel.reset(new CClusterCandidates(share))

    def feed(self, bytes data):
        cdef string_view view = string_view(<const char*>data, len(data))
        with nogil:
            self.kernel.get().feed(view)

    def columns(self):
        cdef CClusterCandidates* kernel = self.kernel.get()
        return (
            column(kernel.documents), long_column(kernel.ranks), column(kernel.ngrams), column(kernel.sizes),
            long_column(kernel.keys),
        )


cdef class ClusterPass:
    cdef unique_ptr[CClusterPass] kernel

    def __init__(self, double share, size_t counters, size_t most_keys, size_t most_entries):
        if not 0 < share <= 1 or not counters or most_entries >= 2**31:
            raise ValueError("share must be over 0 and at most 1; a counter and up to 2^31 entries are needed")
        self.kernel.reset(new CClusterPass(share, counters, most_keys, most_entries))

    def count(self, const uint64_t[::1] keys):
        if keys.shape[0]:
            with nogil:
                self.kernel.get().count(&keys[0], keys.shape[0])

    def decide(
        self, const uint64_t[::1] ranks, const uint32_t[::1] ngrams, const uint32_t[::1] sizes,
        const uint64_t[::1] keys,
    ):
        cdef Py_ssize_t documents = ranks.shape[0], i
        if ngrams.shape[0] != documents or sizes.shape[0] != documents:
            raise ValueError("the arrays do not fit each other")
        leaders = np.empty(documents, np.uint64)
        shares = np.empty(documents, np.float64)
        cdef uint64_t[::1] of_leaders = leaders
        cdef double[::1] of_shares = shares
        cdef uint64_t common = 0, all = 0
        cdef size_t start = 0
        for i in range(documents):
            start += sizes[i]
            if not 0 < sizes[i] <= ngrams[i]:
                raise ValueError("a document has an n-gram or more, and at least as many as duplicate ones")
        if start != <size_t>keys.shape[0]:
            raise ValueError("the arrays do not fit each other")
        start = 0
        with nogil:
            for i in range(documents):
                of_leaders[i] = self.kernel.get().document(
                    ranks[i], ngrams[i], &keys[0] + start, sizes[i], common, all
                )
                of_shares[i] = <double>common / <double>all
                start += sizes[i]
        return leaders, shares

    def restart(self):
        self.kernel.get().restart()
