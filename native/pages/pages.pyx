"""Pages to blocks: walks trees of lxml and returns columns. The binding of segmentation, structure, features, page_walk."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libc.string cimport memchr, memcpy
from libcpp.vector cimport vector
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport xmlNode

import numpy as np

include "block_columns.pxi"
include "buffers.pxi"

cetree.import_lxml__etree()


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)
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

cdef extern from "pages/block_names.hpp" namespace "corpusprep" nogil:
    cdef cppclass BlockNames:
        vector[int32_t] parents
        vector[uint8_t] containers
        vector[int64_t] name_offsets
        vector[uint32_t] names
        vector[int32_t] leaves
        vector[int64_t] word_offsets
        vector[uint32_t] words
    cdef cppclass WeightTable:
        WeightTable() except +
        WeightTable(const uint32_t*, const int8_t*, size_t, size_t) except +
    const size_t kNameColumns
    void c_name_columns "corpusprep::name_columns"(const BlockNames&, const WeightTable&, const WeightTable&, uint8_t**) except +
    const uint32_t kShortBlock

cdef extern from "pages/block_model.hpp" namespace "corpusprep" nogil:
    cdef cppclass TreeArrays:
        vector[uint8_t] depths
        vector[uint8_t] features
        vector[uint8_t] thresholds
        vector[int16_t] leaves
        vector[int32_t] borders
        int32_t bias
    cdef cppclass CppBlockModel "corpusprep::BlockModel":
        CppBlockModel(WeightTable, WeightTable, TreeArrays, size_t) except +
        void score(const uint8_t*, size_t, size_t, uint16_t*) except +
        void sum(const uint8_t*, size_t, size_t, int32_t*) except +

cdef extern from "pages/repeated_text.hpp" namespace "corpusprep" nogil:
    cdef struct RepeatedColumns:
        const char* text
        const int64_t* offsets
        const uint32_t* words
        const uint32_t* link_words
    void c_mark_repeated "corpusprep::mark_repeated"(const RepeatedColumns&, size_t, uint8_t*) except +

cdef extern from "pages/hidden_text.hpp" namespace "corpusprep" nogil:
    void c_leave_out_hidden "corpusprep::leave_out_hidden"(const uint32_t*, const uint8_t*, uint16_t*, size_t)

cdef extern from "pages/feature_list.hpp" namespace "corpusprep" nogil:
    cdef cppclass FeatureDescription:
        string_view name
        string_view unit
        string_view source
    cdef cppclass FeatureList "decltype(corpusprep::kFeatures)":
        size_t size()
        FeatureDescription operator[](size_t)
    const FeatureList kFeatures

cdef extern from "pages/shown_elements.hpp" namespace "corpusprep" nogil:
    cdef cppclass HidingClasses "decltype(corpusprep::kHidingClasses)":
        size_t size()
        string_view operator[](size_t)
    const HidingClasses kHidingClasses
    cdef cppclass FoldingClasses "decltype(corpusprep::kFoldingClasses)":
        size_t size()
        string_view operator[](size_t)
    const FoldingClasses kFoldingClasses

cdef extern from "pages/features.hpp" namespace "corpusprep" nogil:
    cdef cppclass KindNames "decltype(corpusprep::kBlockKinds)":
        size_t size()
        string_view operator[](size_t)
    const KindNames kBlockKinds
    cdef cppclass TypeNames "decltype(corpusprep::kBlockTypes)":
        size_t size()
        string_view operator[](size_t)
    const TypeNames kBlockTypes
    cdef cppclass FeatureDemand:
        cbool columns
        cbool names
        vector[cbool] wanted
    cdef cppclass FeatureColumns:
        vector[vector[uint8_t]] features
        vector[uint8_t] kinds
        vector[uint8_t] types
        vector[uint16_t] scores
        BlockNames names
        void clear()
    cdef cppclass FeatureBuilder:
        FeatureBuilder(FeatureColumns&, FeatureDemand, const CppBlockModel*) except +
        cbool large()

cdef extern from "pages/outline.hpp" namespace "corpusprep" nogil:
    const size_t kPlaces
    cdef cppclass Places:
        int32_t* data()
    cdef cppclass OutlineColumns:
        vector[Places] places
        string lines
        vector[int64_t] line_offsets
        vector[int64_t] span_blocks
        vector[uint32_t] span_starts
        vector[uint32_t] span_ends
        vector[uint8_t] span_kinds
        vector[int64_t] span_targets
        string targets
        vector[int64_t] target_offsets
        void clear()
    cdef cppclass OutlineBuilder:
        OutlineBuilder(OutlineColumns&) except +

cdef extern from "pages/segmentation.hpp" namespace "corpusprep" nogil:
    cdef cppclass BlockTags "std::array<std::string_view, corpusprep::kBlockTags.size()>":
        size_t size()
        string_view operator[](size_t)
    const BlockTags kBlockTags
    cdef cppclass AlphabeticWords:
        uint32_t stop
    AlphabeticWords c_count_alphabetic "corpusprep::count_alphabetic"(string_view, const WordSet&) except +
    cdef cppclass BlockBuilder:
        BlockBuilder(
            const WordSet&, BlockColumns&, double, StructureBuilder*, FeatureBuilder*, OutlineBuilder*
        ) except +
        void keep_composition() noexcept

cdef extern from "text/unicode.hpp" namespace "corpusprep" nogil:
    cbool c_has_script_without_spaces "corpusprep::has_script_without_spaces"(string_view)

cdef extern from "pages/page_walk.hpp" namespace "corpusprep" nogil:
    cdef cppclass KeptText:
        cbool hidden
        cbool readings
    cdef cppclass HiddenText:
        HiddenText(const WordSet&, BlockColumns&, double) except +
        BlockBuilder& builder() noexcept
        const vector[int64_t]& before()
    void walk_page(const xmlNode*, BlockBuilder&, HiddenText&, KeptText) except +
    void skip_page(BlockBuilder&, HiddenText&) except +
    string c_page_title "corpusprep::page_title"(const xmlNode*) except +


# Bytes of text up to which a Segmenter keeps the memory of its columns.
cdef size_t MOST_KEPT = 1 << 20

BLOCK_TAGS = tuple(kBlockTags[i].data()[:kBlockTags[i].size()].decode() for i in range(kBlockTags.size()))


KINDS = tuple(_text(kBlockKinds[i]) for i in range(kBlockKinds.size()))
TYPES = tuple(_text(kBlockTypes[i]) for i in range(kBlockTypes.size()))
UNSHOWN_CLASSES = frozenset(_text(kHidingClasses[i]) for i in range(kHidingClasses.size())) | frozenset(
    _text(kFoldingClasses[i]) for i in range(kFoldingClasses.size())
)
FEATURES = tuple(
    (_text(kFeatures[i].name), _text(kFeatures[i].unit), _text(kFeatures[i].source)) for i in range(kFeatures.size())
)
NAME_COLUMNS = kNameColumns
SHORT_BLOCK = kShortBlock


cdef _text(string_view text):
    return text.data()[:text.size()].decode()


cdef WeightTable _table(const uint32_t[::1] keys, const int8_t[:, ::1] weights):
    if keys.shape[0] == 0:
        return WeightTable()
    return WeightTable(&keys[0], &weights[0, 0], keys.shape[0], weights.shape[1])


cdef class BlockModel:
    cdef unique_ptr[CppBlockModel] model
    cdef size_t features

    def __cinit__(
        self,
        const uint32_t[::1] name_keys,
        const int8_t[:, ::1] name_weights,
        const uint32_t[::1] word_keys,
        const int8_t[:, ::1] word_weights,
        const uint8_t[::1] depths,
        const uint8_t[::1] features,
        const uint8_t[::1] thresholds,
        const int16_t[::1] leaves,
        const int32_t[::1] borders,
        int32_t bias,
    ):
        cdef TreeArrays trees
        cdef Py_ssize_t i
        for i in range(depths.shape[0]):
            trees.depths.push_back(depths[i])
        for i in range(features.shape[0]):
            trees.features.push_back(features[i])
        for i in range(thresholds.shape[0]):
            trees.thresholds.push_back(thresholds[i])
        for i in range(leaves.shape[0]):
            trees.leaves.push_back(leaves[i])
        for i in range(borders.shape[0]):
            trees.borders.push_back(borders[i])
        trees.bias = bias
        self.features = kFeatures.size()
        self.model.reset(
            new CppBlockModel(
                _table(name_keys, name_weights), _table(word_keys, word_weights), trees, self.features
            )
        )

    cdef _check(self, const uint8_t[:, ::1] columns):
        if columns.shape[0] != <Py_ssize_t> self.features:
            raise ValueError(f"{columns.shape[0]} features in place of {self.features}")

    def scores(self, const uint8_t[:, ::1] columns):
        self._check(columns)
        cdef size_t blocks = columns.shape[1]
        cdef uint16_t[::1] scores = np.empty(blocks, np.uint16)
        if blocks:
            with nogil:
                self.model.get().score(&columns[0, 0], blocks, blocks, &scores[0])
        return np.asarray(scores)

    def sums(self, const uint8_t[:, ::1] columns):
        self._check(columns)
        cdef size_t blocks = columns.shape[1]
        cdef int32_t[::1] sums = np.empty(blocks, np.int32)
        if blocks:
            with nogil:
                self.model.get().sum(&columns[0, 0], blocks, blocks, &sums[0])
        return np.asarray(sums)


def name_columns(
    const int32_t[::1] parents,
    const uint8_t[::1] containers,
    const int64_t[::1] name_offsets,
    const uint32_t[::1] names,
    const int32_t[::1] leaves,
    const int64_t[::1] word_offsets,
    const uint32_t[::1] words,
    const uint32_t[::1] name_keys,
    const int8_t[:, ::1] name_weights,
    const uint32_t[::1] word_keys,
    const int8_t[:, ::1] word_weights,
):
    cdef BlockNames all_names
    cdef Py_ssize_t i
    cdef size_t column
    cdef vector[uint8_t*] places
    cdef WeightTable name_table = _table(name_keys, name_weights)
    cdef WeightTable word_table = _table(word_keys, word_weights)
    result = np.zeros((kNameColumns, leaves.shape[0]), np.uint8)
    cdef uint8_t[:, ::1] values = result
    if leaves.shape[0] == 0:
        return result
    all_names.parents.assign(&parents[0], &parents[0] + parents.shape[0])
    all_names.containers.assign(&containers[0], &containers[0] + containers.shape[0])
    all_names.name_offsets.assign(&name_offsets[0], &name_offsets[0] + name_offsets.shape[0])
    all_names.leaves.assign(&leaves[0], &leaves[0] + leaves.shape[0])
    all_names.word_offsets.assign(&word_offsets[0], &word_offsets[0] + word_offsets.shape[0])
    if names.shape[0]:
        all_names.names.assign(&names[0], &names[0] + names.shape[0])
    if words.shape[0]:
        all_names.words.assign(&words[0], &words[0] + words.shape[0])
    for column in range(kNameColumns):
        places.push_back(&values[column, 0])
    with nogil:
        c_name_columns(all_names, name_table, word_table, places.data())
    return result


def leave_out_hidden(const uint16_t[::1] scores, const uint32_t[::1] sizes, const uint8_t[::1] hidden):
    cdef Py_ssize_t count = scores.shape[0]
    if sizes.shape[0] != count or hidden.shape[0] != count:
        raise ValueError("columns of blocks have different lengths")
    left = np.array(scores, np.uint16)
    cdef uint16_t[::1] values = left
    if count:
        with nogil:
            c_leave_out_hidden(&sizes[0], &hidden[0], &values[0], count)
    return left


def repeated_text(bytes text not None, offsets, pages, words, link_words):
    cdef Py_ssize_t count = len(words), page, page_count = len(pages) - 1
    cdef Buffers held = Buffers(count)
    cdef const int64_t* places = <const int64_t*> held.column(offsets, count + 1, sizeof(int64_t))
    cdef const int64_t* borders = <const int64_t*> held.column(pages, page_count + 1, sizeof(int64_t))
    cdef const uint32_t* all_words = <const uint32_t*> held.column(words, count, sizeof(uint32_t))
    cdef const uint32_t* linked = <const uint32_t*> held.column(link_words, count, sizeof(uint32_t))
    if places[count] > len(text):
        raise ValueError("columns of blocks have different lengths")
    if page_count < 0 or borders[page_count] != count:
        raise ValueError("the pages have other blocks")
    marks = np.empty(count, np.bool_)
    cdef uint8_t* values = <uint8_t*> held.column(marks, count, sizeof(uint8_t))
    cdef RepeatedColumns columns
    columns.text = text
    with nogil:
        for page in range(page_count):
            columns.offsets = places + borders[page]
            columns.words = all_words + borders[page]
            columns.link_words = linked + borders[page]
            c_mark_repeated(columns, borders[page + 1] - borders[page], values + borders[page])
    return None if memchr(values, 1, count) == NULL else marks


def page_title(root not None):
    cdef cetree._Element element = root
    cdef const xmlNode* node = <const xmlNode*> element._c_node
    cdef string title
    with nogil:
        title = c_page_title(node)
    return title.decode("utf-8", "replace")


cdef class StopList:
    cdef unique_ptr[WordSet] forms

    def __cinit__(self, stop_words):
        cdef vector[string] forms
        for form in sorted(stop_words):
            forms.push_back(form.encode())
        self.forms.reset(new WordSet(forms))

    def counts(self, bytes text not None, const int64_t[::1] offsets):
        cdef const char* start = text
        cdef Py_ssize_t blocks = offsets.shape[0] - 1
        cdef Py_ssize_t block
        if blocks < 0:
            raise ValueError("no offsets")
        if offsets[0] < 0 or offsets[blocks] > len(text):
            raise ValueError(f"offsets from {offsets[0]} to {offsets[blocks]} in a text of {len(text)} bytes")
        for block in range(blocks):
            if offsets[block] > offsets[block + 1]:
                raise ValueError(f"offsets are not ascending: {offsets[block]}, {offsets[block + 1]}")
        found = np.empty(blocks, np.uint32)
        cdef uint32_t[::1] counts = found
        with nogil:
            for block in range(blocks):
                counts[block] = c_count_alphabetic(
                    string_view(start + offsets[block], offsets[block + 1] - offsets[block]), self.forms.get()[0]
                ).stop
        return found


cdef class Segmenter:
    cdef unique_ptr[WordSet] stop_words
    cdef unique_ptr[BlockColumns] columns
    cdef unique_ptr[BlockColumns] hidden_columns
    cdef unique_ptr[HiddenText] hidden
    cdef bint with_structure
    cdef unique_ptr[StructureColumns] structure
    cdef unique_ptr[StructureBuilder] structure_builder
    cdef unique_ptr[BlockBuilder] builder
    cdef double characters_per_word
    cdef bint composes
    cdef bint with_features
    cdef const CppBlockModel* block_model
    cdef FeatureDemand demand
    cdef object wanted
    cdef BlockModel model
    cdef unique_ptr[FeatureColumns] features
    cdef unique_ptr[FeatureBuilder] feature_builder
    cdef bint with_outline
    cdef unique_ptr[OutlineColumns] outline
    cdef unique_ptr[OutlineBuilder] outline_builder

    def __cinit__(
        self,
        stop_words,
        double characters_per_word,
        structure=False,
        features=False,
        names=False,
        BlockModel model=None,
        wanted=None,
        outline=False,
    ):
        self.with_structure = structure
        self.with_outline = outline
        self.with_features = features or names or model is not None
        self.wanted = sorted(wanted) if wanted is not None else range(kFeatures.size())
        if wanted is not None:
            self.demand.wanted.assign(kFeatures.size(), False)
            for place in wanted:
                self.demand.wanted[place] = True
        self.demand.columns = features
        self.demand.names = names
        self.model = model
        self.block_model = NULL
        if model is not None:
            self.block_model = model.model.get()
        cdef vector[string] forms
        for form in sorted(stop_words):
            forms.push_back(form.encode())
        self.stop_words.reset(new WordSet(forms))
        self.characters_per_word = characters_per_word
        self.composes = True
        self._renew()

    cdef _renew(self):
        self.columns.reset(new BlockColumns())
        self.hidden_columns.reset(new BlockColumns())
        if self.with_structure:
            self.structure.reset(new StructureColumns())
            self.structure_builder.reset(new StructureBuilder(self.structure.get()[0]))
        if self.with_features:
            self.features.reset(new FeatureColumns())
            self.feature_builder.reset(
                new FeatureBuilder(self.features.get()[0], self.demand, self.block_model)
            )
        if self.with_outline:
            self.outline.reset(new OutlineColumns())
            self.outline_builder.reset(new OutlineBuilder(self.outline.get()[0]))
        self._begin()

    cdef _begin(self):
        self.builder.reset(
            new BlockBuilder(
                self.stop_words.get()[0],
                self.columns.get()[0],
                self.characters_per_word,
                self.structure_builder.get(),
                self.feature_builder.get(),
                self.outline_builder.get(),
            )
        )
        self.hidden.reset(
            new HiddenText(self.stop_words.get()[0], self.hidden_columns.get()[0], self.characters_per_word)
        )
        if not self.composes:
            self.keep_composition()

    def keep_composition(self):
        self.composes = False
        self.builder.get().keep_composition()
        self.hidden.get().builder().keep_composition()

    def add(self, root, hidden=False, readings=False):
        cdef cetree._Element element
        cdef const xmlNode* node
        cdef KeptText kept
        kept.hidden = hidden
        kept.readings = readings
        if root is None:
            skip_page(self.builder.get()[0], self.hidden.get()[0])
            return
        element = root
        node = <const xmlNode*> element._c_node
        with nogil:
            walk_page(node, self.builder.get()[0], self.hidden.get()[0], kept)

    def last_without_spaces(self):
        cdef BlockColumns* c = self.columns.get()
        cdef size_t start
        if c.pages.size() < 2:
            return False
        start = c.offsets[c.pages[c.pages.size() - 2]]
        return c_has_script_without_spaces(string_view(c.text.data() + start, c.text.size() - start))

    def take(self):
        cdef BlockColumns* c = self.columns.get()
        taken = (
            *_block_columns(c),
            self._structure() if self.with_structure else None,
            self._features() if self.with_features else None,
            _uint32(c.invisible),
            _int64(c.breaks),
            (*_block_columns(self.hidden_columns.get()), _int64(self.hidden.get().before())),
            self._outline() if self.with_outline else None,
        )
        # What was allocated for pages of usual size is used again.
        cdef bint large = c.text.size() > MOST_KEPT or (self.with_features and self.feature_builder.get().large())
        if large or self.with_structure:
            self._renew()
        else:
            c.clear()
            self.hidden_columns.get().clear()
            if self.with_features:
                self.features.get().clear()
            if self.with_outline:
                self.outline.get().clear()
            self._begin()
        return taken

    cdef _features(self):
        cdef FeatureColumns* f = self.features.get()
        cdef BlockNames* n = &f.names
        columns = names = None
        if self.demand.columns:
            columns = np.empty((len(self.wanted), f.kinds.size()), np.uint8)
            for row, place in enumerate(self.wanted):
                columns[row] = _uint8(f.features[place])
        if self.demand.names:
            names = (
                _int32(n.parents),
                _uint8(n.containers),
                _int64(n.name_offsets),
                _uint32(n.names),
                _int32(n.leaves),
                _int64(n.word_offsets),
                _uint32(n.words),
            )
        scores = None if self.model is None else _uint16(f.scores)
        return columns, _uint8(f.kinds), _uint8(f.types), scores, names

    cdef _outline(self):
        cdef OutlineColumns* o = self.outline.get()
        places = np.empty((o.places.size(), kPlaces), np.int32)
        cdef int32_t[:, ::1] values = places
        if o.places.size():
            memcpy(&values[0, 0], o.places[0].data(), o.places.size() * kPlaces * sizeof(int32_t))
        return (
            places,
            <bytes> o.lines,
            _int64(o.line_offsets),
            _int64(o.span_blocks),
            _uint32(o.span_starts),
            _uint32(o.span_ends),
            _uint8(o.span_kinds),
            _int64(o.span_targets),
            <bytes> o.targets,
            _int64(o.target_offsets),
        )

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
