# The columns of blocks that a Segmenter fills, and how they become arrays. For files that import numpy as np.

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer

cdef extern from "text/word_set.hpp" namespace "corpusprep" nogil:
    cdef cppclass WordSet:
        WordSet(const vector[string]&) except +

cdef extern from "pages/segmentation.hpp" namespace "corpusprep" nogil:
    cdef cppclass BlockColumns:
        string text
        vector[int64_t] offsets
        vector[int64_t] pages
        vector[uint8_t] tags
        vector[uint8_t] flags
        vector[uint32_t] words
        vector[uint32_t] link_words
        vector[uint32_t] alphabetic_words
        vector[uint32_t] stop_words
        vector[uint32_t] invisible
        vector[int64_t] breaks
        void clear()


cdef class Arrays:
    """Arrays of one type. Making those of a page takes as long as parsing a small one: nothing is looked up twice."""

    cdef object make, dtype, none

    def __cinit__(self, dtype):
        self.make, self.dtype = np.empty, np.dtype(dtype)
        self.none = np.empty(0, dtype)  # many columns of a page are empty

    cdef copied(self, const void* values, size_t size):
        cdef Py_buffer target
        if not size:
            return self.none
        result = self.make(size, self.dtype)
        PyObject_GetBuffer(result, &target, PyBUF_WRITABLE)
        memcpy(target.buf, values, target.len)
        PyBuffer_Release(&target)
        return result


cdef Arrays UINT8 = Arrays(np.uint8), UINT16 = Arrays(np.uint16), UINT32 = Arrays(np.uint32)
cdef Arrays INT16 = Arrays(np.int16), INT32 = Arrays(np.int32), INT64 = Arrays(np.int64)


cdef _uint8(const vector[uint8_t]& values):
    return UINT8.copied(values.data(), values.size())


cdef _uint16(const vector[uint16_t]& values):
    return UINT16.copied(values.data(), values.size())


cdef _uint32(const vector[uint32_t]& values):
    return UINT32.copied(values.data(), values.size())


cdef _int16(const vector[int16_t]& values):
    return INT16.copied(values.data(), values.size())


cdef _int32(const vector[int32_t]& values):
    return INT32.copied(values.data(), values.size())


cdef _int64(const vector[int64_t]& values):
    return INT64.copied(values.data(), values.size())


cdef tuple _block_columns(BlockColumns* c):
    """Returns the columns up to stop_words, in the order of Blocks."""
    return (
        c.text,
        _int64(c.offsets),
        _int64(c.pages),
        _uint8(c.tags),
        _uint8(c.flags),
        _uint32(c.words),
        _uint32(c.link_words),
        _uint32(c.alphabetic_words),
        _uint32(c.stop_words),
    )
