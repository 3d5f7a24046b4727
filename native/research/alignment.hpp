// Word alignment of two texts by longest common sequences (Ratcliff and Obershelp 1988).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corpusprep {

// A sequence of equal words: a[text, text + length) equals b[gold, gold + length). difflib calls it a matching block.
struct MatchingBlock {
  std::int64_t text;
  std::int64_t gold;
  std::int64_t length;
};

// Finds the same matching blocks as Python's difflib.SequenceMatcher: the longest common sequence (of several the first
// in `a`, then in `b`), then the same before it and after it.
//   a, b     `n` and `m` word numbers, each in 0 … words - 1
//   words    number of different words
//   popular  words that make up more than 1 % of a `b` of 200 words or more start no sequence, they only extend one
//            (difflib's `autojunk`)
// Returns them in ascending order; adjacent ones are not merged. Takes O(n + m + words) memory.
std::vector<MatchingBlock> matching_blocks(const std::int32_t* a, std::size_t n, const std::int32_t* b, std::size_t m,
                                           std::size_t words, bool popular);

}  // namespace corpusprep
