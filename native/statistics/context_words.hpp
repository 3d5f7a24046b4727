// Counts the words of good blocks for many context-free classifications of the same blocks (pages/context.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corpusprep {

// The classes of each kind of block in some classifications, and the words of good blocks in each of them.
class ContextWords {
 public:
  // `classes` has a row of `classifications` values of BlockClass for each kind.
  ContextWords(const std::uint8_t* classes, std::size_t kinds, std::size_t classifications);

  // Adds a page: the kinds of its blocks, in order, and the words of each, fewer than 2^32 in all. A kind is less than
  // kinds(). Before and after the page, blocks count as bad.
  void add_page(const std::uint32_t* kinds, const std::uint32_t* words, std::size_t blocks) noexcept;

  std::size_t kinds() const noexcept { return kinds_; }
  std::size_t classifications() const noexcept { return classifications_; }
  // Returns the words of good blocks in a classification.
  std::uint64_t words(std::size_t classification) const noexcept { return words_[classification]; }

 private:
  // Classifications that are counted side by side, in the lanes of vectors.
  static constexpr std::size_t kLanes = 4;

  void add(const std::uint8_t* classes, std::uint64_t* sums, const std::uint32_t* kinds, const std::uint32_t* words,
           std::size_t blocks) const noexcept;

  std::size_t kinds_, classifications_, groups_;
  std::vector<std::uint8_t> classes_;  // by group of kLanes classifications, then by kind
  std::vector<std::uint64_t> words_;
};

}  // namespace corpusprep
