// The lexicon of a corpus in memory: word -> id. Ids have 32 bits and follow descending frequency, then the order of
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/word_table.hpp"
#include "dedup/token_selection.hpp"
#include "dedup/word_list.hpp"
#include "text/vertical.hpp"

namespace corpusprep::ngrams {

// Gives ids to the words of a lexicon, which are read in the order of their bytes: a counting sort by frequency.
// Hapaxes, which the file does not list, have the ids from header().words on.
class IdSequence {
 public:
  // Reads the histogram of `lexicon`. Throws DamagedFile if it contradicts the header.
  explicit IdSequence(WordListReader& lexicon);
  // Returns the id of the next word, which has that frequency. Throws DamagedFile if there is none.
  std::uint32_t next(std::uint64_t frequency);

 private:
  struct Range {
    std::uint64_t next = 0, end = 0;
  };
  static constexpr std::uint64_t kSmall = 1 << 12;
  WordListReader& lexicon_;
  std::vector<Range> small_;  // by frequency
  std::unordered_map<std::uint64_t, Range> large_;
};

class Lexicon {
 public:
  // Results of find() for words that the lexicon does not list, and for words that do not count.
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  static constexpr std::uint32_t kUncounted = 0xFFFFFFFE;

  // Loads a lexicon file. `selection` decides on each word once here, and on unlisted words in find().
  Lexicon(const std::string& path, TokenSelection selection);

  static std::size_t bytes_for(const WordListHeader& header) noexcept {
    return WordTable<std::uint32_t>::bytes_for(header.short_words, header.words - header.short_words,
                                               header.long_bytes);
  }
  const WordListHeader& header() const noexcept { return header_; }

  std::uint32_t find(const TableWord& word) const {
    const char* entry = table_.find(word);
    if (entry != nullptr) return table_.get(entry);
    return selection_.counted(word.bytes, word.key) ? kUnknown : kUncounted;
  }
  const WordTable<std::uint32_t>& table() const noexcept { return table_; }

 private:
  TokenSelection selection_;
  WordListHeader header_;
  WordTable<std::uint32_t> table_;
};

// Returns the word_key of each listed word, by id.
std::vector<std::uint64_t> lexicon_keys(const std::string& path, WordListHeader& header);

}  // namespace corpusprep::ngrams
