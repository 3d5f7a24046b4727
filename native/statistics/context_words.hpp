// Counts the words of good blocks for many context-free classifications of the same blocks (pages/context.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace corpusprep {

// The classes of each kind of block in some classifications, and the words of good blocks in each of them.
class ContextWords {
 public:
  // Classifications that are counted side by side, in the lanes of vectors.
  static constexpr std::size_t kLanes = 8;

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
  // What a kind of blocks can be, over all classifications.
  struct Range {
    bool always_bad = true;
    bool ever_good = false;  // or near-good: other blocks become good only beside such a one
  };

  std::size_t kinds_, classifications_, groups_;
  std::vector<Range> ranges_;
  std::vector<std::uint8_t> classes_;  // by group of kLanes classifications, then by kind
  std::vector<std::uint64_t> words_;
};

// Finds the kinds of blocks: blocks are of one kind if all their measures lie between the same thresholds.
class BlockKinds {
 public:
  // Thresholds ascend. `kinds` has a kind for each place of a block, as of an array with the axes `bad` (two places),
  // link density, words and stop-word density, in this order; an axis has one place more than thresholds.
  BlockKinds(std::vector<double> link_densities, std::vector<double> words, std::vector<double> stopword_densities,
             std::vector<std::uint32_t> kinds)
      : link_densities_(std::move(link_densities)),
        words_(std::move(words)),
        stopword_densities_(std::move(stopword_densities)),
        kinds_(std::move(kinds)) {}

  std::uint32_t of(bool bad, double link_density, double words, double stopword_density) const noexcept {
    const std::size_t link = place(link_densities_, link_density) + (bad ? link_densities_.size() + 1 : 0);
    const std::size_t word = link * (words_.size() + 1) + place(words_, words);
    return kinds_[word * (stopword_densities_.size() + 1) + place(stopword_densities_, stopword_density)];
  }

 private:
  // The number of thresholds that are lower.
  static std::size_t place(std::span<const double> thresholds, double value) noexcept {
    std::size_t found = 0;
    for (const double threshold : thresholds) found += threshold < value ? 1 : 0;
    return found;
  }

  std::vector<double> link_densities_, words_, stopword_densities_;
  std::vector<std::uint32_t> kinds_;
};

}  // namespace corpusprep
