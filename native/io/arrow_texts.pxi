# A column of text of a data frame, for a kernel: the binding of arrow_texts.hpp.

from cpython.pycapsule cimport PyCapsule_GetPointer
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "io/arrow_texts.hpp" nogil:
    cdef cppclass ArrowArrayStream:
        pass


cdef extern from "io/arrow_texts.hpp" namespace "corpusprep" nogil:
    cdef cppclass ArrowTexts:
        ArrowTexts(ArrowArrayStream& stream) except +
        const vector[string_view]& texts() noexcept


cdef class _Column:
    """The texts of a column; they are held as long as this object."""

    cdef ArrowTexts* column

    def __cinit__(self, texts):
        capsule = texts.__arrow_c_stream__()
        cdef ArrowArrayStream* stream = <ArrowArrayStream*> PyCapsule_GetPointer(capsule, "arrow_array_stream")
        self.column = new ArrowTexts(stream[0])

    def __dealloc__(self):
        del self.column
