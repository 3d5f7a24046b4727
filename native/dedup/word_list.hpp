// Word lists: words in the order of their bytes, front-coded, each with its frequency. Two kinds of file share the
// format: the words of a batch, and the lexicon of a corpus.
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

// The header of a word list. A lexicon lists the words that occur twice or more, and only counts the hapaxes: an
// n-gram that holds one cannot recur. It ends with the histogram of its frequencies, from which ids follow.
struct WordListHeader {
  std::uint64_t words = 0;        // listed
  std::uint64_t hapaxes = 0;      // words of frequency 1 that are not listed
  std::uint64_t tokens = 0;       // sum of the frequencies, of the hapaxes too
  std::uint64_t short_words = 0;  // listed, of up to TableWord::kShort bytes
  std::uint64_t long_bytes = 0;   // of the other words listed
  std::uint64_t entries_bytes = 0, entries_checksum = 0;
  std::uint64_t frequencies = 0, histogram_bytes = 0, histogram_checksum = 0;
  std::uint64_t checksum = 0;  // of the header; with the checksums above it identifies the file
};

class WordListWriter {
 public:
  WordListWriter(const std::string& path, WordListKind kind) : file_(path), kind_(kind) {}
  // Words in strictly ascending order of their bytes (as unsigned), none of them empty; frequencies of 1 or more.
  void add(std::string_view word, std::uint64_t frequency);
  WordListHeader finish();

 private:
  FileWriter file_;
  WordListKind kind_;
  WordListHeader header_;
  std::string previous_;
  std::map<std::uint64_t, std::uint64_t> histogram_;  // frequency -> words of it; kept for a lexicon alone
};

class WordListReader {
 public:
  explicit WordListReader(const std::string& path, WordListKind kind, std::size_t buffer_bytes = 1 << 18);
  const WordListHeader& header() const noexcept { return header_; }
  const std::string& path() const noexcept { return file_.path(); }
  // Frequency -> words of it, checked (a lexicon's). To be called before the first next(), if at all.
  std::map<std::uint64_t, std::uint64_t> histogram();
  // Goes to the next word; false once after the last, when the checksum has been found right.
  bool next();
  std::string_view word() const noexcept { return word_; }
  std::uint64_t frequency() const noexcept { return frequency_; }
  [[noreturn]] void damaged(const std::string& what) const { file_.damaged(what); }

 private:
  FileReader file_;
  WordListHeader header_;
  bool started_ = false;
  std::uint64_t listed_ = 0, tokens_ = 0;
  std::string word_;
  std::uint64_t frequency_ = 0;
};

// Merges the word lists of `paths` (kind words), adding frequencies, into a list of the kind given. Each list takes
// `buffer_bytes` and an open file.
WordListHeader merge_words(const std::vector<std::string>& paths, const std::string& output, WordListKind kind,
                           std::size_t buffer_bytes);

// Which documents of a vertical are taken, by their number. Documents beyond the mask are not.
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

// Counts the words of a vertical's documents; besides, if it is told to, gives the counted tokens ids of the batch, and
// partitions the keys of their n-grams.
class WordCounter {
 public:
  explicit WordCounter(DocumentMask mask) : WordCounter(std::move(mask), TokenSelection(true, {}), {}, {}) {}
  // `tokens` takes the tokens that `selection` counts, `keys` the keys of their n-grams; either may be null.
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
  // Documents seen so far, whether taken or not.
  std::uint64_t documents() const noexcept { return documents_; }
  // Memory that going on, or writing, may take: the words, their table when it doubles, references to sort.
  std::size_t bytes() const noexcept { return table_.arena_bytes() + 3 * table_.slot_bytes(); }
  // The words are so many, or so frequent, that write() must be called before more are fed.
  bool full() const noexcept { return next_id_ > kUncounted / 2 || seen_ > kMostTokens / 2; }
  // Writes the words counted since the last write as a list of the kind words, and forgets them; their tokens make a
  // section of the stream.
  void write(const std::string& path);
  // After the last write(): completes the other files.
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
  // What the table holds of a word: its id in the low bits, its frequency in the others.
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
