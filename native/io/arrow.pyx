# cython: language_level=3
"""Columns of text for libraries that read the C data interface of Arrow, without a Python object per value.

https://arrow.apache.org/docs/format/CDataInterface.html and …/CDataInterface/PyCapsuleInterface.html
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free


cdef extern from *:
    """
    struct ArrowSchema {
      const char* format;
      const char* name;
      const char* metadata;
      int64_t flags;
      int64_t n_children;
      struct ArrowSchema** children;
      struct ArrowSchema* dictionary;
      void (*release)(struct ArrowSchema*);
      void* private_data;
    };
    struct ArrowArray {
      int64_t length;
      int64_t null_count;
      int64_t offset;
      int64_t n_buffers;
      int64_t n_children;
      const void** buffers;
      struct ArrowArray** children;
      struct ArrowArray* dictionary;
      void (*release)(struct ArrowArray*);
      void* private_data;
    };
    """
    ctypedef struct ArrowSchema:
        const char* format
        const char* name
        void (*release)(ArrowSchema*) noexcept
    ctypedef struct ArrowArray:
        int64_t length
        int64_t n_buffers
        const void** buffers
        void (*release)(ArrowArray*) noexcept
        void* private_data


cdef void _release_schema(ArrowSchema* schema) noexcept:
    schema.release = NULL


cdef void _release_array(ArrowArray* array) noexcept with gil:
    free(array.buffers)
    Py_DECREF(<object> array.private_data)
    array.release = NULL


cdef void _drop_schema(object capsule) noexcept:
    cdef ArrowSchema* schema = <ArrowSchema*> PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release:
        schema.release(schema)
    free(schema)


cdef void _drop_array(object capsule) noexcept:
    cdef ArrowArray* array = <ArrowArray*> PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release:
        array.release(array)
    free(array)


cdef class Texts:
    cdef bytes text
    cdef const int64_t[::1] offsets

    def __cinit__(self, bytes text not None, const int64_t[::1] offsets not None):
        cdef Py_ssize_t i
        if not offsets.shape[0] or offsets[0] < 0 or offsets[offsets.shape[0] - 1] > len(text):
            raise ValueError("the offsets are not inside the text")
        for i in range(1, offsets.shape[0]):
            if offsets[i] < offsets[i - 1]:
                raise ValueError("the offsets do not ascend")
        self.text = text
        self.offsets = offsets

    def __len__(self):
        return self.offsets.shape[0] - 1

    def __arrow_c_array__(self, requested_schema=None):
        cdef ArrowSchema* schema = <ArrowSchema*> calloc(1, sizeof(ArrowSchema))
        cdef ArrowArray* array = <ArrowArray*> calloc(1, sizeof(ArrowArray))
        cdef const void** buffers = <const void**> calloc(3, sizeof(void*))
        if not schema or not array or not buffers:
            free(schema)
            free(array)
            free(buffers)
            raise MemoryError
        schema.format = "U"  # UTF-8 with offsets of 64 bits
        schema.name = ""
        schema.release = _release_schema
        buffers[1] = &self.offsets[0]
        buffers[2] = <const char*> self.text
        array.length = len(self)
        array.n_buffers = 3
        array.buffers = buffers
        array.private_data = <void*> self
        array.release = _release_array
        Py_INCREF(self)
        return PyCapsule_New(schema, "arrow_schema", _drop_schema), PyCapsule_New(array, "arrow_array", _drop_array)
