"""Pages to blocks: walks trees of lxml and returns columns. The binding of segmentation.hpp, structure.hpp, page_walk.hpp."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport xmlNode

import numpy as np

cetree.import_lxml__etree()


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        const char* data()
        size_t size()

cdef extern from "pages/structure.hpp" namespace "corpusprep" nogil:
    cdef cppclass StructureColumns:
        vector[int64_t] piece_ends
        vector[int64_t] block_pieces
        vector[uint32_t] words
        vector[uint32_t] link_words
        vector[uint32_t] markup
        vector[uint8_t] flags
        vector[int64_t] page_elements
        vector[int64_t] element_ends
        vector[int64_t] element_pieces
        vector[int64_t] element_piece_ends
        vector[uint32_t] element_names
        vector[uint8_t] element_structural
    cdef cppclass StructureBuilder:
        StructureBuilder(StructureColumns&) except +

cdef extern from "text/word_set.hpp" namespace "corpusprep" nogil:
    cdef cppclass WordSet:
        WordSet(const vector[string]&) except +

cdef extern from "pages/segmentation.hpp" namespace "corpusprep" nogil:
    cdef cppclass BlockTags "std::array<std::string_view, corpusprep::kBlockTags.size()>":
        size_t size()
        string_view operator[](size_t)
    const BlockTags kBlockTags
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
    cdef cppclass BlockBuilder:
        BlockBuilder(const WordSet&, BlockColumns&, double, StructureBuilder*) except +
        void end_page() except +

cdef extern from "pages/page_walk.hpp" namespace "corpusprep" nogil:
    void walk_page(const xmlNode*, BlockBuilder&) except +
    string c_page_title "corpusprep::page_title"(const xmlNode*) except +


BLOCK_TAGS = tuple(kBlockTags[i].data()[:kBlockTags[i].size()].decode() for i in range(kBlockTags.size()))


def page_title(root not None):
    cdef cetree._Element element = root
    cdef const xmlNode* node = <const xmlNode*> element._c_node
    cdef string title
    with nogil:
        title = c_page_title(node)
    return title.decode("utf-8", "replace")


cdef class Segmenter:
    cdef unique_ptr[WordSet] stop_words
    cdef unique_ptr[BlockColumns] columns
    cdef bint with_structure
    cdef unique_ptr[StructureColumns] structure
    cdef unique_ptr[StructureBuilder] structure_builder
    cdef unique_ptr[BlockBuilder] builder
    cdef double characters_per_word

    def __cinit__(self, stop_words, double characters_per_word, structure=False):
        self.with_structure = structure
        cdef vector[string] forms
        for form in sorted(stop_words):
            forms.push_back(form.encode())
        self.stop_words.reset(new WordSet(forms))
        self.characters_per_word = characters_per_word
        self._renew()

    cdef _renew(self):
        self.columns.reset(new BlockColumns())
        if self.with_structure:
            self.structure.reset(new StructureColumns())
            self.structure_builder.reset(new StructureBuilder(self.structure.get()[0]))
        self.builder.reset(
            new BlockBuilder(
                self.stop_words.get()[0],
                self.columns.get()[0],
                self.characters_per_word,
                self.structure_builder.get(),
            )
        )

    def add(self, root):
        cdef cetree._Element element
        cdef const xmlNode* node
        if root is None:
            self.builder.get().end_page()
            return
        element = root
        node = <const xmlNode*> element._c_node
        with nogil:
            walk_page(node, self.builder.get()[0])

    def take(self):
        cdef BlockColumns* c = self.columns.get()
        taken = (
            c.text,
            _int64(c.offsets),
            _int64(c.pages),
            _uint8(c.tags),
            _uint8(c.flags),
            _uint32(c.words),
            _uint32(c.link_words),
            _uint32(c.alphabetic_words),
            _uint32(c.stop_words),
            self._structure() if self.with_structure else None,
            _uint32(c.invisible),
        )
        self._renew()
        return taken

    cdef _structure(self):
        cdef StructureColumns* s = self.structure.get()
        return (
            _int64(s.piece_ends),
            _int64(s.block_pieces),
            _uint32(s.words),
            _uint32(s.link_words),
            _uint32(s.markup),
            _uint8(s.flags),
            _int64(s.page_elements),
            _int64(s.element_ends),
            _int64(s.element_pieces),
            _int64(s.element_piece_ends),
            _uint32(s.element_names),
            _uint8(s.element_structural),
        )


cdef _int64(vector[int64_t]& values):
    return np.array(<int64_t[:values.size()]> values.data()) if values.size() else np.empty(0, np.int64)


cdef _uint8(vector[uint8_t]& values):
    return np.array(<uint8_t[:values.size()]> values.data()) if values.size() else np.empty(0, np.uint8)


cdef _uint32(vector[uint32_t]& values):
    return np.array(<uint32_t[:values.size()]> values.data()) if values.size() else np.empty(0, np.uint32)
