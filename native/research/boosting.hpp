// Boosting of oblivious trees on integers, for a probability (Prokhorenkova et al. 2018 for the trees, Chen and
// Guestrin 2016 for the gain). All sums are of integers, so the trees do not depend on the order of summation or the
// compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corpusprep {

// Units of a score per unit of log-odds.
inline constexpr std::int32_t kScoreScale = 2048;

struct BoostingSettings {
  std::int32_t trees;             // number of trees
  std::int32_t depth;             // levels of each tree, 1 … 8
  std::int32_t bins;              // bins of each column, 2 … 256
  std::int32_t learning_rate;     // in 1024ths
  std::int64_t regularisation;    // added to the sum of hessians of each leaf; its unit is 4 units of weight
  std::int32_t sampled_rows;      // share of the rows that choose the splits of a tree, in 1024ths
  std::int32_t sampled_features;  // share of the features that are tried at a level, in 1024ths
  std::uint64_t seed;             // decides which rows and features
};

// Trees over columns of bins. Level l of tree t asks whether the bin of features[t * depth + l] is above
// thresholds[t * depth + l]; the answers, the first as the highest bit, are the number of a leaf.
struct BoostedTrees {
  std::vector<std::uint16_t> features;
  std::vector<std::uint8_t> thresholds;
  std::vector<std::int16_t> leaves;  // trees << depth, in 1 / kScoreScale
  std::vector<std::int32_t> scores;  // one per row: the start score and the leaves of all trees
};

// Grows trees one after another against the logistic loss.
//   columns     `features` columns of `rows` bins each, one after another
//   labels      `rows` probabilities in 65535ths
//   weights     `rows` weights, with a sum of less than 2^28; a row of weight 0 teaches nothing and gets a score
//   start       score of every row before the first tree
BoostedTrees boost(const std::uint8_t* columns, std::size_t features, std::size_t rows, const std::uint16_t* labels,
                   const std::uint16_t* weights, std::int32_t start, const BoostingSettings& settings);

}  // namespace corpusprep
