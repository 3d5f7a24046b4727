// The ids of the words of a lexicon. They have 32 bits and follow descending frequency, then the order of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "dedup/word_list.hpp"

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

// Returns the word_key of each listed word, by id.
std::vector<std::uint64_t> lexicon_keys(const std::string& path, WordListHeader& header);

}  // namespace corpusprep::ngrams
