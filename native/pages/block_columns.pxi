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


# Many columns of a page are empty: half of the time to make arrays of them.
cdef dict _EMPTY = {dtype: np.empty(0, dtype) for dtype in (np.uint8, np.uint16, np.uint32, np.int16, np.int32, np.int64)}


cdef _copied(const void* values, size_t size, dtype):
    cdef Py_buffer target
    if not size:
        return _EMPTY[dtype]
    result = np.empty(size, dtype)
    PyObject_GetBuffer(result, &target, PyBUF_WRITABLE)
    memcpy(target.buf, values, target.len)
    PyBuffer_Release(&target)
    return result


cdef _uint8(const vector[uint8_t]& values):
    return _copied(values.data(), values.size(), np.uint8)


cdef _uint16(const vector[uint16_t]& values):
    return _copied(values.data(), values.size(), np.uint16)


cdef _uint32(const vector[uint32_t]& values):
    return _copied(values.data(), values.size(), np.uint32)


cdef _int16(const vector[int16_t]& values):
    return _copied(values.data(), values.size(), np.int16)


cdef _int32(const vector[int32_t]& values):
    return _copied(values.data(), values.size(), np.int32)


cdef _int64(const vector[int64_t]& values):
    return _copied(values.data(), values.size(), np.int64)


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
