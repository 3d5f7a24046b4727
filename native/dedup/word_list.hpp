// Word lists: words in the order of their bytes, front-coded, each with its frequency. Two kinds of files have this
// format: the words of a batch, and the lexicon of a corpus. They are divided into blocks, which start with a whole
// word; an index has the first word of each block, so that a range of words can be read alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/word_table.hpp"
#include "dedup/key_partitions.hpp"
#include "dedup/token_selection.hpp"
#include "dedup/token_stream.hpp"
#include "io/stage_file.hpp"
#include "text/vertical.hpp"

namespace corpusprep::ngrams {

enum class WordListKind { words, lexicon };

// The header of a word list. A lexicon lists the words that occur twice or more and only counts the hapaxes: an n-gram
// with a hapax cannot occur twice. It ends with the histogram of its frequencies, which determines the ids.
struct WordListHeader {
  std::uint64_t words = 0;    // listed
  std::uint64_t hapaxes = 0;  // words of frequency 1 that are not listed
  std::uint64_t tokens = 0;   // sum of the frequencies, including hapaxes
  std::uint64_t entries_bytes = 0;
  std::uint64_t frequencies = 0, histogram_bytes = 0, histogram_checksum = 0;
  std::uint64_t blocks = 0, index_checksum = 0;
  std::uint64_t checksum = 0;  // of the header; together with the checksums above it identifies the file
};

// A block of a word list: its first word, the bytes of its entries and their checksum.
struct WordBlock {
  std::string first;
  std::uint64_t bytes = 0, checksum = 0;
};

// Words from `from` to before `to`; an empty `to` is behind all words.
struct WordRange {
  std::string from, to;
};

// A block has this many bytes, or a few more.
inline constexpr std::size_t kWordBlockBytes = std::size_t{1} << 20;

class WordListWriter {
 public:
  WordListWriter(const std::string& path, WordListKind kind, std::size_t block_bytes = kWordBlockBytes)
      : file_(path), kind_(kind), block_bytes_(block_bytes) {}
  // Words must be in strictly ascending order of their (unsigned) bytes and not empty; frequencies are 1 or more.
  void add(std::string_view word, std::uint64_t frequency);
  // Counts words of frequency 1 that a lexicon does not list.
  void add_hapaxes(std::uint64_t words) noexcept;
  WordListHeader finish();

 private:
  void finish_block();

  FileWriter file_;
  WordListKind kind_;
  std::size_t block_bytes_;
  WordListHeader header_;
  std::string previous_;
  std::uint64_t block_start_ = 0;
  std::vector<WordBlock> blocks_;                     // the last one has no size until it is complete
  std::map<std::uint64_t, std::uint64_t> histogram_;  // frequency -> number of words; only for a lexicon
};

class WordListReader {
 public:
  explicit WordListReader(const std::string& path, WordListKind kind, std::size_t buffer_bytes = 1 << 18);
  const WordListHeader& header() const noexcept { return header_; }
  const std::string& path() const noexcept { return file_.path(); }
  const std::vector<WordBlock>& blocks() const noexcept { return blocks_; }
  // Returns frequency -> number of words (of a lexicon), checked. Must be called before the first next(), if at all.
  std::map<std::uint64_t, std::uint64_t> histogram();
  // Reads only the blocks that may have words of a range, and gives only these words. Must be called before the first
  // next(), if at all.
  void limit_to(WordRange range);
  // Goes to the next word. Returns false once after the last, when the checksums were found correct.
  bool next();
  std::string_view word() const noexcept { return word_; }
  std::uint64_t frequency() const noexcept { return frequency_; }
  [[noreturn]] void damaged(const std::string& what) const { file_.damaged(what); }

 private:
  // Reads the next entry of the blocks. Returns false if there is none.
  bool read_entry();

  FileReader file_;
  WordListHeader header_;
  std::vector<WordBlock> blocks_;  // those that may have words of range_
  std::size_t block_ = 0;          // the next one
  std::uint64_t offset_ = 0;       // where it starts
  bool in_block_ = false;
  WordRange range_;
  bool whole_ = true;
  std::uint64_t listed_ = 0, tokens_ = 0;
  std::string word_, last_;
  std::uint64_t frequency_ = 0;
};

// Returns the words of a part of a corpus: `parts` ranges together have all words of the lists `paths` (of kind words),
// with about as many bytes each, as far as whole blocks allow it. They do not depend on the order of the lists.
WordRange word_range(const std::vector<std::string>& paths, std::size_t part, std::size_t parts);

// Merges the words of a range of the word lists `paths` (of kind words) into a list of the given kind; frequencies are
// added. Each list takes `buffer_bytes` and an open file.
WordListHeader merge_words(const std::vector<std::string>& paths, const std::string& output, WordListKind kind,
                           std::size_t buffer_bytes, const WordRange& range, std::size_t block_bytes = kWordBlockBytes);

// Joins the lexicons of the parts of a corpus, in the order of their words, into that of the corpus.
WordListHeader join_lexicons(const std::vector<std::string>& parts, const std::string& output);

// Which documents of a vertical are selected, by their number. Documents after the mask are not.
class DocumentMask {
 public:
  DocumentMask() : all_(true) {}
  explicit DocumentMask(std::vector<std::uint8_t> taken) : all_(false), taken_(std::move(taken)) {}
  bool operator[](std::uint64_t document) const noexcept {
    return all_ || (document < taken_.size() && taken_[document] != 0);
  }

 private:
  bool all_;
  std::vector<std::uint8_t> taken_;
};

// Counts the words of the documents of a vertical. If asked, it also gives the counted tokens ids and partitions the
// keys of their n-grams.
class WordCounter {
 public:
  explicit WordCounter(DocumentMask mask) : WordCounter(std::move(mask), TokenSelection(true, {}), {}, {}) {}
  // `tokens` gets the tokens that `selection` counts, `keys` the keys of their n-grams. Either may be null.
  WordCounter(DocumentMask mask, TokenSelection selection, std::unique_ptr<TokenStreamWriter> tokens,
              std::unique_ptr<KeyPartitioner> keys)
      : mask_(std::move(mask)),
        selection_(std::move(selection)),
        tokens_(std::move(tokens)),
        keys_(std::move(keys)),
        reader_(*this) {}
  WordCounter(const WordCounter&) = delete;
  WordCounter& operator=(const WordCounter&) = delete;

  void feed(std::string_view chunk) {
    window_.begin(chunk);
    reader_.feed(chunk);
    drain();
  }
  void finish() {
    window_.begin({});
    reader_.finish();
    drain();
  }
  // Documents so far, whether selected or not.
  std::uint64_t documents() const noexcept { return documents_; }
  // Memory that continuing or writing may take: the words, their table when it doubles, references for sorting.
  std::size_t bytes() const noexcept { return table_.arena_bytes() + 3 * table_.slot_bytes(); }
  // There are so many words, or they are so frequent, that write() must be called before the next feed().
  bool full() const noexcept { return next_id_ > kUncounted / 2 || seen_ > kMostTokens / 2; }
  // Writes the words counted since the last write as a list of kind words, and forgets them. Their tokens become a
  // section of the stream.
  void write(const std::string& path);
  // Must be called after the last write(). Completes the other files.
  void close();

  void document_begin() noexcept { taken_ = mask_[documents_++]; }
  void document_end() {
    if (!taken_) return;
    drain();
    if (tokens_) tokens_->end_document();
    if (keys_) keys_->end_document();
  }
  void block_begin() noexcept {}
  void token(std::string_view word) {
    if (taken_ && window_.push(word, table_)) drain();
  }

 private:
  // The value of a word in the table: its id in the low bits, its frequency above them.
  static constexpr unsigned kIdBits = 28;
  static constexpr std::uint64_t kUncounted = (std::uint64_t{1} << kIdBits) - 1;
  static constexpr std::uint64_t kOnce = std::uint64_t{1} << kIdBits;
  static constexpr std::uint64_t kMostTokens = std::uint64_t{1} << (64 - kIdBits);

  void drain() {
    std::array<std::uint32_t, WordWindow::kWords> ids;
    std::array<std::uint64_t, WordWindow::kWords> keys;
    std::size_t counted = 0;
    window_.drain(table_, [&](const TableWord& word) {
      ++seen_;
      ids[counted] = count(word);
      keys[counted] = word.key;
      counted += ids[counted] != kUncounted;
    });
    if (tokens_) {
      for (std::size_t i = 0; i < counted; ++i) tokens_->add(ids[i]);
    }
    static_assert(WordWindow::kWords <= KeyPartitioner::kMost);
    if (keys_) keys_->add(keys.data(), counted);
  }
  std::uint32_t count(const TableWord& word) {
    if (char* entry = table_.find(word)) {
      const std::uint64_t value = table_.get(entry) + kOnce;
      table_.set(entry, value);
      return static_cast<std::uint32_t>(value & kUncounted);
    }
    const std::uint64_t id = selection_.counted(word.bytes, word.key) ? next_id_++ : kUncounted;
    table_.insert(word, kOnce | id);
    return static_cast<std::uint32_t>(id);
  }
  DocumentMask mask_;
  TokenSelection selection_;
  std::unique_ptr<TokenStreamWriter> tokens_;
  std::unique_ptr<KeyPartitioner> keys_;
  WordTable<std::uint64_t> table_;
  WordWindow window_;
  std::uint64_t documents_ = 0, next_id_ = 0, seen_ = 0;
  bool taken_ = false;
  VerticalReader<WordCounter> reader_;
};

}  // namespace corpusprep::ngrams
