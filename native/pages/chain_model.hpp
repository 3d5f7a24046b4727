// A linear-chain conditional random field over the blocks of a page (Lafferty, McCallum and Pereira 2001).
//
// All numbers are whole: weights are in units of 1/4096 logit, and sums of probabilities are taken with a table. So a
// page has the same labels and scores with every compiler. tests/support/plain_chain.py is the same in plain Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corpusprep {

inline constexpr std::size_t kChainLabels = 16;        // at most
inline constexpr std::int32_t kChainWeight = 1 << 22;  // largest weight, either sign

// What a model file has. An attribute looks at one column, `offset` blocks away, and puts the value into one of its
// classes: the number of its borders that the value is above. The class after the last stands for "no such block".
struct ChainArrays {
  std::vector<std::uint16_t> columns;       // per attribute
  std::vector<std::int16_t> offsets;        // per attribute: 0 the block itself, -1 the one before, …
  std::vector<std::uint8_t> border_counts;  // per attribute
  std::vector<std::uint8_t> borders;        // of each attribute, ascending
  std::vector<std::int32_t> weights;        // per attribute, class (border_counts + 2) and label
  std::vector<std::int32_t> transitions;    // from label, to label
  std::vector<std::uint8_t> content;        // per label: 1 if it is main content
  std::vector<std::int32_t> log_add;  // [d]: what the sum of two probabilities that differ by d adds to the larger
  std::vector<std::int32_t> score_borders;  // ascending: a score is the number of these that the log-odds reach
};

// Immutable; shared between threads without locks.
class ChainModel {
 public:
  // Throws std::invalid_argument if the arrays do not fit together.
  explicit ChainModel(ChainArrays arrays);

  std::size_t labels() const noexcept { return label_count_; }
  // One more than the highest column that an attribute looks at.
  std::size_t columns() const noexcept { return column_count_; }

  // Writes, for the `blocks` blocks of one page, the most likely sequence of labels (Viterbi; of equal ones, the lowest
  // label at the last block at which they differ), and the probability of main content (forward-backward) as a score.
  // `values` has one row per column, `stride` values apart.
  void decode(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::uint8_t* labels,
              std::uint16_t* scores) const;

 private:
  void add_states(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::int64_t* states) const;
  template <std::size_t Labels>
  void add_rows(const std::int32_t* rows, const std::uint8_t* column, std::size_t count, std::int64_t* states) const;
  void best_sequence(const std::int64_t* states, std::size_t blocks, std::uint8_t* labels) const;
  void score(const std::int64_t* states, std::size_t blocks, std::uint16_t* scores) const;
  std::int64_t add(std::int64_t a, std::int64_t b) const noexcept;

  ChainArrays arrays_;
  std::size_t label_count_ = 0, column_count_ = 0;
  std::vector<std::int32_t> rows_;  // per attribute and value of its column: the weights of the value's class, by label
  std::vector<std::uint32_t> missing_;  // per attribute: where those of "no such block" begin
};

}  // namespace corpusprep
