# cython: language_level=3, boundscheck=False, wraparound=False
"""Blocks of pages as Python objects, made from columns in one pass."""

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

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
    "kind", "tag",
)


cdef class BlockRows:
    cdef object cls
    cdef Py_ssize_t offsets[11]
    cdef tuple tags, labels, verdicts, kinds
    cdef double top_score

    def __init__(
        self, type cls not None, tuple tags not None, tuple labels not None, tuple verdicts not None,
        tuple kinds not None, double top_score
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
        self.top_score = top_score

    def of_pages(
        self,
        bytes text not None,
        const int64_t[::1] offsets,
        const int64_t[::1] pages,
        const uint8_t[::1] tags,
        const uint8_t[::1] flags,
        const uint32_t[::1] words,
        const uint32_t[::1] link_words,
        const uint32_t[::1] alphabetic_words,
        const uint32_t[::1] stop_words,
        const uint8_t[::1] context_free,
        const uint8_t[::1] good,
        const uint8_t[::1] verdicts,
        const uint16_t[::1] scores,
        const uint8_t[::1] kinds,
    ):
        cdef const char* start = text
        cdef Py_ssize_t count = words.shape[0], page, block, first, end
        cdef bint with_scores = scores is not None, with_kinds = kinds is not None, kept, heading
        cdef list rows
        if not (
            offsets.shape[0] == count + 1 and tags.shape[0] == flags.shape[0] == link_words.shape[0] == count
            and alphabetic_words.shape[0] == stop_words.shape[0] == context_free.shape[0] == count
            and good.shape[0] == verdicts.shape[0] == count
            and (not with_scores or scores.shape[0] == count) and (not with_kinds or kinds.shape[0] == count)
        ):
            raise ValueError(f"columns of {count} blocks have different lengths")
        if offsets[0] < 0 or offsets[count] > len(text):
            raise ValueError(f"offsets from {offsets[0]} to {offsets[count]} in a text of {len(text)} bytes")
        found = []
        for page in range(pages.shape[0] - 1):
            first, end = pages[page], pages[page + 1]
            if first < 0 or end < first or end > count:
                raise ValueError(f"pages have blocks {first} to {end} of {count}")
            rows = PyList_New(end - first)
            kept = False
            title = None
            for block in range(first, end):
                if offsets[block] > offsets[block + 1]:
                    raise ValueError(f"offsets are not ascending: {offsets[block]}, {offsets[block + 1]}")
                own = PyUnicode_DecodeUTF8(start + offsets[block], offsets[block + 1] - offsets[block], NULL)
                heading = (flags[block] & kHeading) != 0
                if heading and title is None:
                    title = own
                kept = kept or good[block]
                made = new_object(self.cls)
                # Texts and numbers form no cycles. Tracking the blocks takes the collector 8 % of an extraction.
                PyObject_GC_UnTrack(made)
                fill_slot(made, self.offsets[0], own)
                fill_slot(made, self.offsets[1], "good" if good[block] else "bad")
                fill_slot(made, self.offsets[2], _named(self.labels, context_free[block]))
                fill_slot(made, self.offsets[3], words[block])
                fill_slot(made, self.offsets[4], link_words[block] / <double> words[block])
                fill_slot(made, self.offsets[5], stop_words[block] / <double> max(alphabetic_words[block], 1u))
                fill_slot(made, self.offsets[6], True if heading else False)
                fill_slot(made, self.offsets[7], _named(self.verdicts, verdicts[block]))
                fill_slot(made, self.offsets[8], scores[block] / self.top_score if with_scores else None)
                fill_slot(made, self.offsets[9], _named(self.kinds, kinds[block]) if with_kinds else None)
                fill_slot(made, self.offsets[10], _named(self.tags, tags[block]))
                Py_INCREF(made)
                PyList_SET_ITEM(rows, block - first, made)
            found.append((rows, kept, title))
        return found


cdef _named(tuple names, uint8_t number):
    if number >= len(names):
        raise ValueError(f"{number} is none of the {len(names)} codes")
    return names[number]
