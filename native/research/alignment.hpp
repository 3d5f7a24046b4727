// Alignment of two texts word by word by longest matching blocks (Ratcliff and Obershelp 1988).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corpusprep {

// A run of equal words: a[text, text + length) equals b[gold, gold + length).
struct MatchingBlock {
  std::int64_t text;
  std::int64_t gold;
  std::int64_t length;
};

// The matching blocks of two sequences of word numbers, those of Python's difflib.SequenceMatcher: the longest
// common run (of several the first in `a`, then in `b`), then the same to its left and to its right.
//   a, b     `n` and `m` word numbers, each in 0 … words - 1
//   words    how many different words there are
//   popular  words that make up more than 1 % of a `b` of 200 words or more open no run, they only prolong one
//            (difflib's `autojunk`)
// Returns the blocks in ascending order; runs that touch are not merged. O(n + m + words) memory beside them.
std::vector<MatchingBlock> matching_blocks(const std::int32_t* a, std::size_t n, const std::int32_t* b, std::size_t m,
                                           std::size_t words, bool popular);

}  // namespace corpusprep
