// Context-sensitive classification of blocks (Pomikálek 2011, 2.7.3, algorithm 2.3).
#pragma once

#include <cstddef>
#include <cstdint>

namespace corpusprep {

// Context-free classes, with the values that arrays and files have.
enum BlockClass : std::uint8_t { kBad = 0, kShort = 1, kNearGood = 2, kGood = 3 };

// Classifies the blocks of one page, given in order. good[i] becomes 1 if block i is good, otherwise 0.
//   classes  `blocks` values of BlockClass (only the two low bits are read)
//   good     room for `blocks` values, owned by the caller; must not overlap `classes`
// Before and after the page, blocks count as bad. Linear time, no allocation.
void classify_context(const std::uint8_t* classes, std::size_t blocks, std::uint8_t* good) noexcept;

}  // namespace corpusprep
