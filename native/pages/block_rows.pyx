# cython: language_level=3, boundscheck=False, wraparound=False
"""Blocks of pages as Python objects, made from columns in one pass."""

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

include "buffers.pxi"

cdef extern from *:
    """
    #include <structmember.h>

    // Returns where the objects of the class keep the slot that the descriptor stands for; 0 if it is none of its slots.
    static Py_ssize_t slot_offset(PyObject* descriptor, PyObject* type) {
      if (!PyObject_TypeCheck(descriptor, &PyMemberDescr_Type)) return 0;
      const PyMemberDescrObject* slot = (const PyMemberDescrObject*) descriptor;
      const bool own = (PyObject*) slot->d_common.d_type == type && slot->d_member->type == T_OBJECT_EX;
      return own ? slot->d_member->offset : 0;
    }
    static PyObject* new_object(PyObject* type) { return PyType_GenericAlloc((PyTypeObject*) type, 0); }
    // Fills an empty slot.
    static void fill_slot(PyObject* object, Py_ssize_t offset, PyObject* value) {
      Py_INCREF(value);
      *(PyObject**) ((char*) object + offset) = value;
    }
    """
    void PyObject_GC_UnTrack(object)
    Py_ssize_t slot_offset(object, object)
    object new_object(object)
    void fill_slot(object, Py_ssize_t, object)

cdef extern from "pages/segmentation.hpp" namespace "corpusprep" nogil:
    const uint8_t kHeading

FIELDS = (
    "text", "label", "context_free_label", "words", "link_density", "stopword_density", "heading", "verdict", "score",
    "kind", "type", "tag",
)


cdef class BlockRows:
    cdef object cls
    cdef Py_ssize_t offsets[12]
    cdef tuple tags, labels, verdicts, kinds, types
    cdef double top_score
    cdef object zero, one

    def __init__(
        self, type cls not None, tuple tags not None, tuple labels not None, tuple verdicts not None,
        tuple kinds not None, tuple types not None, double top_score
    ):
        if set(cls.__slots__) != set(FIELDS) or cls.__base__ is not object:
            raise TypeError(f"{cls.__name__} has the slots {', '.join(cls.__slots__)}, not {', '.join(FIELDS)}")
        for place, name in enumerate(FIELDS):
            self.offsets[place] = slot_offset(cls.__dict__[name], cls)
            if self.offsets[place] <= 0:
                raise TypeError(f"{cls.__name__}.{name} is no slot")
        self.cls = cls
        self.tags = tags
        self.labels = labels
        self.verdicts = verdicts
        self.kinds = kinds
        self.types = types
        self.top_score = top_score
        self.zero = 0.0
        self.one = 1.0

    def of_pages(
        self, bytes text not None, offsets, pages, tags, flags, words, link_words, alphabetic_words, stop_words,
        context_free, good, verdicts, scores, kinds, types,
    ):
        cdef const char* start = text
        cdef Py_ssize_t count = len(words), page, block, first, end
        cdef bint with_scores = scores is not None, with_kinds = kinds is not None, kept, heading
        cdef list rows
        cdef Buffers held = Buffers(count)
        cdef const int64_t* places = <const int64_t*> held.column(offsets, count + 1, sizeof(int64_t))
        cdef const int64_t* borders = <const int64_t*> held.column(pages, len(pages), sizeof(int64_t))
        cdef const uint8_t* tag = <const uint8_t*> held.column(tags, count, sizeof(uint8_t))
        cdef const uint8_t* flag = <const uint8_t*> held.column(flags, count, sizeof(uint8_t))
        cdef const uint32_t* all_words = <const uint32_t*> held.column(words, count, sizeof(uint32_t))
        cdef const uint32_t* linked = <const uint32_t*> held.column(link_words, count, sizeof(uint32_t))
        cdef const uint32_t* alphabetic = <const uint32_t*> held.column(alphabetic_words, count, sizeof(uint32_t))
        cdef const uint32_t* stops = <const uint32_t*> held.column(stop_words, count, sizeof(uint32_t))
        cdef const uint8_t* label = <const uint8_t*> held.column(context_free, count, sizeof(uint8_t))
        cdef const uint8_t* main = <const uint8_t*> held.column(good, count, sizeof(uint8_t))
        cdef const uint8_t* verdict = <const uint8_t*> held.column(verdicts, count, sizeof(uint8_t))
        cdef const uint8_t* type_of = <const uint8_t*> held.column(types, count, sizeof(uint8_t))
        cdef const uint16_t* score = NULL
        cdef const uint8_t* kind = NULL
        if with_scores:
            score = <const uint16_t*> held.column(scores, count, sizeof(uint16_t))
        if with_kinds:
            kind = <const uint8_t*> held.column(kinds, count, sizeof(uint8_t))
        if places[0] < 0 or places[count] > len(text):
            raise ValueError(f"offsets from {places[0]} to {places[count]} in a text of {len(text)} bytes")
        found = []
        for page in range(len(pages) - 1):
            first, end = borders[page], borders[page + 1]
            if first < 0 or end < first or end > count:
                raise ValueError(f"pages have blocks {first} to {end} of {count}")
            rows = PyList_New(end - first)
            kept = False
            title = None
            for block in range(first, end):
                if places[block] > places[block + 1]:
                    raise ValueError(f"offsets are not ascending: {places[block]}, {places[block + 1]}")
                own = PyUnicode_DecodeUTF8(start + places[block], places[block + 1] - places[block], NULL)
                heading = (flag[block] & kHeading) != 0
                if heading and title is None:
                    title = own
                kept = kept or main[block]
                made = new_object(self.cls)
                # Texts and numbers form no cycles. Tracking the blocks takes the collector 8 % of an extraction.
                PyObject_GC_UnTrack(made)
                fill_slot(made, self.offsets[0], own)
                fill_slot(made, self.offsets[1], "good" if main[block] else "bad")
                fill_slot(made, self.offsets[2], _named(self.labels, label[block]))
                fill_slot(made, self.offsets[3], all_words[block])
                fill_slot(made, self.offsets[4], self._share(linked[block], all_words[block]))
                fill_slot(made, self.offsets[5], self._share(stops[block], max(alphabetic[block], 1u)))
                fill_slot(made, self.offsets[6], True if heading else False)
                fill_slot(made, self.offsets[7], _named(self.verdicts, verdict[block]))
                fill_slot(made, self.offsets[8], score[block] / self.top_score if with_scores else None)
                fill_slot(made, self.offsets[9], _named(self.kinds, kind[block]) if with_kinds else None)
                fill_slot(made, self.offsets[10], _named(self.types, type_of[block]))
                fill_slot(made, self.offsets[11], _named(self.tags, tag[block]))
                Py_INCREF(made)
                PyList_SET_ITEM(rows, block - first, made)
            found.append((rows, kept, title))
        return found

    cdef _share(self, uint32_t part, double whole):
        """Returns part / whole. Most blocks have no link, or nothing else: they share one 0.0 and one 1.0."""
        if part == 0:
            return self.zero
        return self.one if part == whole else part / whole


cdef _named(tuple names, uint8_t number):
    if number >= len(names):
        raise ValueError(f"{number} is none of the {len(names)} codes")
    return names[number]
