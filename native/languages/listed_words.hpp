// Counts the words of a text that are in each of several lists, such as the stop lists of languages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/key_table.hpp"
#include "text/word_set.hpp"

namespace corpusprep {

// Words are matched as they stand: a word is a longest sequence of letter_class::of_word. Immutable.
class ListedWords {
 public:
  // lists[i]: words in UTF-8, separated by line feeds. Throws std::length_error for 2^28 bytes and more.
  explicit ListedWords(std::span<const std::string_view> lists);

  std::size_t lists() const noexcept { return lists_; }
  // Returns for each list the running words of a text (UTF-8, any bytes) that it has.
  std::vector<std::uint32_t> counts(std::string_view text) const;
  // Adds to found[i] the running words of a text that list i has. Returns whether the text has a character of a script
  // that may be written without spaces between words.
  bool add(std::string_view text, std::span<std::uint32_t> found) const;

 private:
  std::size_t lists_;
  KeyTable<std::uint64_t> numbers_;    // of words, by word_key
  std::vector<std::uint32_t> starts_;  // of each word in with_, and where the last one ends
  std::vector<std::uint32_t> with_;    // the lists that have the word
  WordLengths lengths_;                // of all words
};

}  // namespace corpusprep
