// How often each string between spaces stands in two sets of texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/word_table.hpp"

namespace corpusprep {

// A string of ASCII characters without white space is counted as the word that it holds: in lower case, less what is
// neither letter nor digit at its ends. It is not counted if no letter is left, or more than `longest` characters. Any
// other string is counted as it is. The space is U+0020 alone.
class StringCounts {
 public:
  // `longest` <= 65536. add() stops once the counts take `most_bytes`; they may then take twice as many, for a table
  // doubles when it grows.
  StringCounts(std::size_t most_bytes, std::size_t longest)
      : most_bytes_(most_bytes), longest_(longest), words_(WordWindow::kWords * longest + 1) {}

  // Counts the strings of `text` from `start` (<= its size) on for a set, 0 or 1. Returns where it stopped: at the end,
  // or before a space, with some strings counted.
  std::size_t add(std::string_view text, std::size_t start, unsigned set);

  // Different strings so far, and bytes of all of them.
  std::size_t strings() const noexcept { return table_.size(); }
  std::size_t string_bytes() const noexcept { return string_bytes_; }
  // Writes the strings one after another, in an order that hangs on nothing but what was added; string i is
  // text[offsets[i]] up to text[offsets[i + 1]], and stood first[i] and second[i] times in the sets.
  void write(char* text, std::int64_t* offsets, std::int64_t* first, std::int64_t* second) const noexcept;
  // Forgets all.
  void clear();

 private:
  struct Counts {
    std::uint64_t of[2];
  };

  WordTable<Counts> table_;
  std::size_t most_bytes_, longest_, string_bytes_ = 0;
  std::vector<char> words_;  // those in lower case that wait to be looked up
};

}  // namespace corpusprep
