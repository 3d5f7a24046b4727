#include "pages/chain_model.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace corpusprep {

namespace {

constexpr std::size_t kValues = 256;

bool too_large(std::int32_t weight) noexcept { return weight > kChainWeight || weight < -kChainWeight; }

}  // namespace

ChainModel::ChainModel(ChainArrays arrays) : arrays_(std::move(arrays)), label_count_(arrays_.content.size()) {
  const auto attributes = arrays_.columns.size();
  const auto is_content = [](std::uint8_t one) { return one == 1; };
  const auto is_other = [](std::uint8_t one) { return one > 1; };
  const bool some = std::ranges::any_of(arrays_.content, is_content);
  if (label_count_ > kChainLabels || !some || std::ranges::all_of(arrays_.content, is_content)) {
    throw std::invalid_argument("labels are 2 to 16, some of main content and some not");
  }
  if (std::ranges::any_of(arrays_.content, is_other)) {
    throw std::invalid_argument("a label is of main content (1) or not (0)");
  }
  if (attributes > 65536 || arrays_.offsets.size() != attributes || arrays_.border_counts.size() != attributes) {
    throw std::invalid_argument("the attributes do not fit together");
  }
  if (arrays_.transitions.size() != label_count_ * label_count_) {
    throw std::invalid_argument("the transitions do not fit the labels");
  }
  if (std::ranges::any_of(arrays_.weights, too_large) || std::ranges::any_of(arrays_.transitions, too_large)) {
    throw std::invalid_argument("a weight is too large");
  }
  if (!std::ranges::is_sorted(arrays_.score_borders) || arrays_.score_borders.size() > 65535) {
    throw std::invalid_argument("the borders of scores do not ascend");
  }
  rows_.reserve(attributes * kValues * label_count_);
  missing_.reserve(attributes);
  std::size_t border = 0, weight = 0;
  for (std::size_t attribute = 0; attribute < attributes; ++attribute) {
    const std::size_t count = arrays_.border_counts[attribute];
    if (border + count > arrays_.borders.size()) throw std::invalid_argument("borders are missing");
    const auto first = arrays_.borders.begin() + static_cast<std::ptrdiff_t>(border);
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    if (!std::is_sorted(first, last)) throw std::invalid_argument("the borders of an attribute do not ascend");
    for (std::size_t value = 0; value < kValues; ++value) {
      const auto place = static_cast<std::size_t>(std::lower_bound(first, last, value) - first);
      const std::size_t row = weight + place * label_count_;
      if (row + label_count_ > arrays_.weights.size()) throw std::invalid_argument("weights are missing");
      for (std::size_t label = 0; label < label_count_; ++label) rows_.push_back(arrays_.weights[row + label]);
    }
    missing_.push_back(static_cast<std::uint32_t>(weight + (count + 1) * label_count_));
    column_count_ = std::max<std::size_t>(column_count_, arrays_.columns[attribute] + std::size_t{1});
    border += count;
    weight += (count + 2) * label_count_;
  }
  if (border != arrays_.borders.size() || weight != arrays_.weights.size()) {
    throw std::invalid_argument("borders and weights do not fit the attributes");
  }
}

// Probabilities are logarithms. log(e^a + e^b) = max + log(1 + e^-|a - b|): the second part is in the table.
std::int64_t ChainModel::add(std::int64_t a, std::int64_t b) const noexcept {
  const auto larger = std::max(a, b);
  const auto apart = static_cast<std::uint64_t>(larger - std::min(a, b));
  return apart < arrays_.log_add.size() ? larger + arrays_.log_add[apart] : larger;
}

// Adds the weights of the classes of a column. `Labels` is the number of labels if it is known beforehand, or 0.
template <std::size_t Labels>
void ChainModel::add_rows(const std::int32_t* rows, const std::uint8_t* column, std::size_t count,
                          std::int64_t* states) const {
  const std::size_t labels = Labels ? Labels : label_count_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t* weights = rows + column[i] * labels;
    for (std::size_t label = 0; label < labels; ++label) states[i * labels + label] += weights[label];
  }
}

void ChainModel::add_states(const std::uint8_t* values, std::size_t stride, std::size_t blocks,
                            std::int64_t* states) const {
  for (std::size_t attribute = 0; attribute < missing_.size(); ++attribute) {
    const std::uint8_t* column = values + arrays_.columns[attribute] * stride;
    const std::int32_t* rows = rows_.data() + attribute * kValues * label_count_;
    const auto offset = static_cast<std::ptrdiff_t>(arrays_.offsets[attribute]);
    // Blocks first to last have a block at the offset.
    const auto apart = std::min(blocks, static_cast<std::size_t>(std::abs(offset)));
    const std::size_t first = offset < 0 ? apart : 0, last = offset < 0 ? blocks : blocks - apart;
    std::int64_t* const inside = states + first * label_count_;
    const std::uint8_t* const looked_at = offset < 0 ? column : column + apart;
    if (label_count_ == 2) {
      add_rows<2>(rows, looked_at, last - first, inside);
    } else {
      add_rows<0>(rows, looked_at, last - first, inside);
    }
    const std::int32_t* missing = arrays_.weights.data() + missing_[attribute];
    const auto add_missing = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        for (std::size_t label = 0; label < label_count_; ++label) states[i * label_count_ + label] += missing[label];
      }
    };
    add_missing(0, first);
    add_missing(last, blocks);
  }
}

void ChainModel::best_sequence(const std::int64_t* states, std::size_t blocks, std::uint8_t* labels) const {
  std::vector<std::uint8_t> from(blocks * label_count_);
  std::array<std::int64_t, kChainLabels> best{}, next{};
  std::copy_n(states, label_count_, best.begin());
  for (std::size_t i = 1; i < blocks; ++i) {
    for (std::size_t to = 0; to < label_count_; ++to) {
      std::size_t chosen = 0;
      std::int64_t highest = best[0] + arrays_.transitions[to];
      for (std::size_t label = 1; label < label_count_; ++label) {
        const auto sum = best[label] + arrays_.transitions[label * label_count_ + to];
        if (sum > highest) {
          highest = sum;
          chosen = label;
        }
      }
      from[i * label_count_ + to] = static_cast<std::uint8_t>(chosen);
      next[to] = highest + states[i * label_count_ + to];
    }
    best = next;
  }
  const auto end = best.begin() + static_cast<std::ptrdiff_t>(label_count_);
  auto label = static_cast<std::uint8_t>(std::max_element(best.begin(), end) - best.begin());
  for (std::size_t i = blocks; i-- > 0;) {
    labels[i] = label;
    label = from[i * label_count_ + label];
  }
}

void ChainModel::score(const std::int64_t* states, std::size_t blocks, std::uint16_t* scores) const {
  const auto* transitions = arrays_.transitions.data();
  std::vector<std::int64_t> forward(states, states + blocks * label_count_);
  for (std::size_t i = 1; i < blocks; ++i) {
    const std::int64_t* before = forward.data() + (i - 1) * label_count_;
    for (std::size_t to = 0; to < label_count_; ++to) {
      auto sum = before[0] + transitions[to];
      for (std::size_t label = 1; label < label_count_; ++label) {
        sum = add(sum, before[label] + transitions[label * label_count_ + to]);
      }
      forward[i * label_count_ + to] += sum;
    }
  }
  std::array<std::int64_t, kChainLabels> backward{}, next{};
  for (std::size_t i = blocks; i-- > 0;) {
    std::array<std::int64_t, 2> sums{};
    std::array<bool, 2> begun{};
    for (std::size_t label = 0; label < label_count_; ++label) {
      const auto both = forward[i * label_count_ + label] + backward[label];
      const std::size_t side = arrays_.content[label];
      sums[side] = begun[side] ? add(sums[side], both) : both;
      begun[side] = true;
    }
    const auto reached = std::ranges::upper_bound(arrays_.score_borders, sums[1] - sums[0]);
    scores[i] = static_cast<std::uint16_t>(reached - arrays_.score_borders.begin());
    const std::int64_t* state = states + i * label_count_;
    for (std::size_t label = 0; label < label_count_; ++label) {
      auto sum = transitions[label * label_count_] + state[0] + backward[0];
      for (std::size_t to = 1; to < label_count_; ++to) {
        sum = add(sum, transitions[label * label_count_ + to] + state[to] + backward[to]);
      }
      next[label] = sum;
    }
    backward = next;
  }
}

void ChainModel::decode(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::uint8_t* labels,
                        std::uint16_t* scores) const {
  if (!blocks) return;
  std::vector<std::int64_t> states(blocks * label_count_);
  add_states(values, stride, blocks, states.data());
  best_sequence(states.data(), blocks, labels);
  score(states.data(), blocks, scores);
}

}  // namespace corpusprep
