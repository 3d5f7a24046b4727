// A learned model of blocks: two tables of weights and oblivious trees over features. All numbers are whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pages/block_names.hpp"
#include "pages/tree_sums.hpp"

namespace corpusprep {

inline constexpr std::size_t kTreeDepth = 8;  // at most
inline constexpr std::size_t kScoreSteps = 1000;

// Oblivious trees, as a model file has them. Level l of a tree asks one question of all its nodes: is the feature above
// the threshold? The answers are the bits of the leaf's number, level 0 the lowest. A sum over trees becomes a score:
// the number of `borders` that it reaches.
struct TreeArrays {
  std::vector<std::uint8_t> depths;      // per tree, 0 to kTreeDepth
  std::vector<std::uint8_t> features;    // per level of each tree, one tree after the other
  std::vector<std::uint8_t> thresholds;  // the same
  std::vector<std::int16_t> leaves;      // 2^depth per tree
  std::vector<std::int32_t> borders;     // kScoreSteps ascending sums
  std::int32_t bias = 0;
};

// Immutable; shared between threads without locks.
class BlockModel {
 public:
  // Throws std::invalid_argument if the arrays do not fit together or name a feature that does not exist.
  BlockModel(WeightTable names, WeightTable words, TreeArrays trees, std::size_t feature_count);

  const WeightTable& names() const noexcept { return names_; }
  const WeightTable& words() const noexcept { return words_; }
  // Per feature: whether a tree reads it.
  const std::vector<bool>& features() const noexcept { return read_; }

  // Writes the scores, 0 to kScoreSteps, of `blocks` blocks. `values` has one row per feature, `stride` values apart.
  void score(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::uint16_t* scores) const;
  // The same before the sums become scores.
  void sum(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::int32_t* sums) const;

 private:
  void pack_trees();
  void index_borders();
  void sum_wide(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::int32_t* sums) const;
  void sum_trees(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::int32_t* sums,
                 bool without_packed) const;
  void answer_tree(std::size_t depth, std::size_t level, const std::uint8_t* values, std::size_t stride,
                   std::size_t count, std::uint8_t* leaf) const;
  std::uint16_t score_of(std::int32_t sum) const noexcept;
  WeightTable names_, words_;
  TreeArrays trees_;
  std::vector<bool> read_;
  std::vector<SixLevelTree> packed_;  // the trees of six levels, for add_trees
  std::vector<std::uint8_t> rows_;    // the features that these read
  std::size_t run_ = 1;               // leaves of these whose sum has 16 bits
  // Where the search for a sum's score begins: the borders below each step of 2^shift_ from the lowest border on.
  std::vector<std::uint16_t> below_;
  unsigned shift_ = 0;
  std::size_t first_step_ = 0;  // of the search by halves from there
};

}  // namespace corpusprep
