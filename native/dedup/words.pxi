# Bindings of word_list.hpp, lexicon.hpp and token_stream.hpp.

cdef extern from "dedup/token_selection.hpp" namespace "corpusprep" nogil:
    cdef cppclass TokenSelection:
        TokenSelection(cbool count_punctuation, vector[string] stop_words) except +raise_python_error

cdef extern from "dedup/token_stream.hpp" namespace "corpusprep::ngrams" nogil:
    cdef cppclass TokenStreamWriter:
        TokenStreamWriter(const string& path, uint64_t selection) except +raise_python_error

    cdef cppclass CTokenStreamHeader "corpusprep::ngrams::TokenStreamHeader":
        uint64_t selection, documents, tokens, most_words

    CTokenStreamHeader c_read_token_stream_header "corpusprep::ngrams::read_token_stream_header"(
        const string& path
    ) except +raise_python_error

cdef extern from "dedup/word_list.hpp" namespace "corpusprep::ngrams" nogil:
    cdef enum class WordListKind:
        words
        lexicon

    cdef cppclass CWordListHeader "corpusprep::ngrams::WordListHeader":
        uint64_t words, hapaxes, tokens, checksum

    cdef cppclass WordListReader:
        WordListReader(const string& path, WordListKind kind) except +raise_python_error
        const CWordListHeader& header()
        cmap[uint64_t, uint64_t] histogram() except +raise_python_error
        cbool next() except +raise_python_error
        string_view word()
        uint64_t frequency()

    const size_t kWordBlockBytes

    cdef cppclass WordRange:
        string first "from"
        string to

    WordRange c_word_range "corpusprep::ngrams::word_range"(
        const vector[string]& paths, size_t part, size_t parts
    ) except +raise_python_error
    CWordListHeader c_merge_words "corpusprep::ngrams::merge_words"(
        const vector[string]& paths, const string& output, WordListKind kind, size_t buffer_bytes,
        const WordRange& words, size_t block_bytes
    ) except +raise_python_error
    CWordListHeader c_join_lexicons "corpusprep::ngrams::join_lexicons"(
        const vector[string]& parts, const string& output
    ) except +raise_python_error

    cdef cppclass DocumentMask:
        DocumentMask()
        DocumentMask(vector[uint8_t] taken)

    cdef cppclass CWordCounter "corpusprep::ngrams::WordCounter":
        CWordCounter(DocumentMask mask) except +raise_python_error
        CWordCounter(DocumentMask mask, TokenSelection selection, unique_ptr[TokenStreamWriter] tokens,
                     unique_ptr[KeyPartitioner] keys) except +raise_python_error
        void feed(string_view chunk) except +raise_python_error
        void finish() except +raise_python_error
        uint64_t documents()
        size_t bytes()
        cbool full()
        void write(const string& path) except +raise_python_error
        void close() except +raise_python_error

cdef extern from "dedup/lexicon.hpp" namespace "corpusprep::ngrams" nogil:
    vector[uint64_t] lexicon_keys(const string& path, CWordListHeader& header) except +raise_python_error


ALL_WORDS = (b"", b"")
WORD_BLOCK_BYTES = kWordBlockBytes


class WordListHeader(NamedTuple):
    words: int
    hapaxes: int
    tokens: int
    checksum: int


class TokenStreamHeader(NamedTuple):
    selection: int
    documents: int
    tokens: int
    most_words: int


cdef DocumentMask mask_of(bytes documents) except *:
    cdef vector[uint8_t] taken
    if documents is None:
        return DocumentMask()
    taken.reserve(len(documents))
    for document in documents:
        taken.push_back(document)
    return DocumentMask(taken)


cdef unique_ptr[TokenSelection] selection_of(bint count_punctuation, stop_words) except *:
    cdef vector[string] words
    cdef unique_ptr[TokenSelection] selection
    for word in stop_words:
        words.push_back(word.encode())
    selection.reset(new TokenSelection(count_punctuation, words))
    return move(selection)


cdef object header_of(const CWordListHeader& header):
    return WordListHeader(header.words, header.hapaxes, header.tokens, header.checksum)


cdef WordListKind kind_of(str kind) except *:
    if kind == "words":
        return WordListKind.words
    if kind == "lexicon":
        return WordListKind.lexicon
    raise ValueError(f"the kind of a word list must be words or lexicon, not {kind}")


def word_list_header(path, str kind="words"):
    cdef unique_ptr[WordListReader] reader
    reader.reset(new WordListReader(os.fsencode(path), kind_of(kind)))
    return header_of(reader.get().header())


def read_words(path, str kind="words"):
    cdef unique_ptr[WordListReader] reader
    reader.reset(new WordListReader(os.fsencode(path), kind_of(kind)))
    words = []
    while reader.get().next():
        words.append((<bytes>reader.get().word(), reader.get().frequency()))
    return words


def word_range(paths, size_t part, size_t parts):
    cdef vector[string] sources = encoded(paths)
    cdef WordRange words
    if part >= parts:
        raise ValueError(f"part must be below {parts}, not {part}")
    with nogil:
        words = c_word_range(sources, part, parts)
    return words.first, words.to


def merge_words(paths, output, str kind, size_t buffer_bytes, words=ALL_WORDS, size_t block_bytes=kWordBlockBytes):
    cdef vector[string] sources = encoded(paths)
    cdef string target = os.fsencode(output)
    cdef WordListKind of_kind = kind_of(kind)
    cdef WordRange of_range
    cdef CWordListHeader header
    of_range.first, of_range.to = words
    with nogil:
        header = c_merge_words(sources, target, of_kind, buffer_bytes, of_range, block_bytes)
    return header_of(header)


def join_lexicons(parts, output):
    cdef vector[string] sources = encoded(parts)
    cdef string target = os.fsencode(output)
    cdef CWordListHeader header
    with nogil:
        header = c_join_lexicons(sources, target)
    return header_of(header)


cdef class WordCounter:
    cdef unique_ptr[CWordCounter] kernel

    def __cinit__(self, bytes documents=None, tokens=None, keys=None, uint32_t n=0, size_t capacity=0,
                  bint count_punctuation=True, stop_words=(), uint64_t selection=0, uint32_t parts=1):
        cdef unique_ptr[TokenStreamWriter] token_writer
        cdef unique_ptr[KeyPartitioner] key_writer
        cdef unique_ptr[TokenSelection] counted = selection_of(count_punctuation, stop_words)
        if tokens is not None:
            token_writer.reset(new TokenStreamWriter(os.fsencode(tokens), selection))
        if keys is not None:
            check_n(n)
            if capacity < kMinCapacity:
                raise ValueError(f"capacity must be {kMinCapacity} or more, not {capacity}")
            check_parts(parts)
            key_writer.reset(new KeyPartitioner(os.fsencode(keys), n, capacity, selection, parts))
        self.kernel.reset(new CWordCounter(mask_of(documents), counted.get()[0], move(token_writer),
                                           move(key_writer)))

    def feed(self, bytes chunk not None):
        cdef string_view data = view(chunk)
        with nogil:
            self.kernel.get().feed(data)

    def finish(self):
        self.kernel.get().finish()

    @property
    def documents(self):
        return self.kernel.get().documents()

    @property
    def memory(self):
        return self.kernel.get().bytes()

    @property
    def full(self):
        return self.kernel.get().full()

    def write(self, path):
        cdef string target = os.fsencode(path)
        with nogil:
            self.kernel.get().write(target)

    def close(self):
        with nogil:
            self.kernel.get().close()


def token_stream_header(path):
    cdef CTokenStreamHeader header = c_read_token_stream_header(os.fsencode(path))
    return TokenStreamHeader(header.selection, header.documents, header.tokens, header.most_words)
