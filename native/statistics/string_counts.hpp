// Counts how often each string between spaces occurs in two sets of texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/word_table.hpp"

namespace corpusprep {

// A string of ASCII characters without white space counts as the word inside it: in lower case, without the characters
// at both ends that are neither letters nor digits. It does not count if it has no letter, or more than `longest`
// characters. Any other string counts unchanged. Only U+0020 is a space.
class StringCounts {
 public:
  // `longest` <= 65536. add() stops when the counts take `most_bytes`. They may then take twice as much, because a
  // growing table doubles.
  StringCounts(std::size_t most_bytes, std::size_t longest)
      : most_bytes_(most_bytes), longest_(longest), words_(WordWindow::kWords * longest + 1) {}

  // Counts the strings of `text` from `start` (<= its size) for a set, 0 or 1. Returns where it stopped: at the end, or
  // before a space after some strings.
  std::size_t add(std::string_view text, std::size_t start, unsigned set);

  // Different strings so far, and the sum of their bytes.
  std::size_t strings() const noexcept { return table_.size(); }
  std::size_t string_bytes() const noexcept { return string_bytes_; }
  // Writes the strings one after another. Their order depends only on what was added. String i is text[offsets[i]] up
  // to text[offsets[i + 1]]; it occurs first[i] and second[i] times in the sets.
  void write(char* text, std::int64_t* offsets, std::int64_t* first, std::int64_t* second) const noexcept;
  // Removes all counts.
  void clear();

 private:
  struct Counts {
    std::uint64_t of[2];
  };

  WordTable<Counts> table_;
  std::size_t most_bytes_, longest_, string_bytes_ = 0;
  std::vector<char> words_;  // words in lower case that wait for their lookup
};

}  // namespace corpusprep
