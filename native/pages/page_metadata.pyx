"""Trees of lxml to the marks by which a page describes itself. The binding of page_metadata."""

from libc.stdint cimport uint8_t
from libcpp.string cimport string
from libcpp.vector cimport vector
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport xmlNode

cetree.import_lxml__etree()


cdef extern from "pages/page_metadata.hpp" namespace "corpusprep" nogil:
    cdef cppclass MarkKind:
        pass
    cdef cppclass Mark:
        MarkKind kind
        string key
        string value
    vector[Mark] c_page_marks "corpusprep::page_marks"(const xmlNode*) except +


KINDS = ("meta", "link", "time", "language", "script", "author", "item_date")


def page_marks(root not None):
    cdef cetree._Element element = root
    cdef const xmlNode* node = <const xmlNode*> element._c_node
    cdef vector[Mark] marks
    cdef size_t i
    with nogil:
        marks = c_page_marks(node)
    return [
        (
            KINDS[<uint8_t> marks[i].kind],
            marks[i].key.decode("utf-8", "replace"),
            marks[i].value.decode("utf-8", "replace"),
        )
        for i in range(marks.size())
    ]
