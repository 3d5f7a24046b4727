#include "pages/block_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace corpusprep {

namespace {

constexpr std::size_t kLane = 256;  // blocks that are looked up together: their leaf numbers stay in the first cache

std::int8_t less_128(std::uint8_t value) noexcept { return static_cast<std::int8_t>(value ^ 0x80U); }

unsigned bit_if(bool above, std::size_t bit) noexcept { return static_cast<unsigned>(above) << bit; }

// Sets or adds one bit of the leaves' numbers; the lowest bit is set first.
void answer(std::uint8_t* leaf, std::size_t count, const std::uint8_t* column, std::uint8_t threshold,
            std::size_t bit) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned before = bit ? leaf[i] : 0U;
    leaf[i] = static_cast<std::uint8_t>(before | bit_if(column[i] > threshold, bit));
  }
}

// The first six bits at once: compilers turn this loop into one of whole vectors. Most trees have six levels.
void answer_six(std::uint8_t* leaf, std::size_t count, const std::array<const std::uint8_t*, 6>& columns,
                const std::uint8_t* thresholds) noexcept {
  const auto [a, b, c, d, e, f] = columns;
  const std::uint8_t ta = thresholds[0], tb = thresholds[1], tc = thresholds[2], td = thresholds[3], te = thresholds[4],
                     tf = thresholds[5];
  for (std::size_t i = 0; i < count; ++i) {
    leaf[i] = static_cast<std::uint8_t>(bit_if(a[i] > ta, 0) | bit_if(b[i] > tb, 1) | bit_if(c[i] > tc, 2) |
                                        bit_if(d[i] > td, 3) | bit_if(e[i] > te, 4) | bit_if(f[i] > tf, 5));
  }
}

}  // namespace

BlockModel::BlockModel(WeightTable names, WeightTable words, TreeArrays trees, std::size_t feature_count)
    : names_(std::move(names)), words_(std::move(words)), trees_(std::move(trees)), read_(feature_count) {
  std::size_t levels = 0, leaves = 0;
  for (const auto depth : trees_.depths) {
    if (depth > kTreeDepth) throw std::invalid_argument("a tree is too deep");
    levels += depth;
    leaves += std::size_t{1} << depth;
  }
  if (trees_.features.size() != levels || trees_.thresholds.size() != levels || trees_.leaves.size() != leaves) {
    throw std::invalid_argument("levels and leaves do not fit the depths of the trees");
  }
  if (trees_.depths.size() > 60000) throw std::invalid_argument("too many trees");  // sums stay within 32 bits
  if (trees_.bias < -100'000'000 || trees_.bias > 100'000'000) throw std::invalid_argument("the bias is out of range");
  if (trees_.borders.size() != kScoreSteps || !std::ranges::is_sorted(trees_.borders)) {
    throw std::invalid_argument("the borders of scores do not ascend");
  }
  for (const auto feature : trees_.features) {
    if (feature >= feature_count) throw std::invalid_argument("a tree reads a feature that does not exist");
    read_[feature] = true;
  }
  pack_trees();
  index_borders();
}

void BlockModel::index_borders() {
  constexpr std::int64_t kMostSteps = 4096;
  const auto& borders = trees_.borders;
  const std::int64_t lowest = borders.front(), range = borders.back() - lowest;
  while ((range >> shift_) >= kMostSteps) ++shift_;
  std::size_t most = 1;  // borders within a step
  for (std::int64_t step = 0; step <= range >> shift_; ++step) {
    const auto below = std::ranges::lower_bound(borders, lowest + (step << shift_)) - borders.begin();
    below_.push_back(static_cast<std::uint16_t>(below));
    if (step > 0) most = std::max<std::size_t>(most, below_.back() - below_[below_.size() - 2]);
  }
  most = std::max(most, borders.size() - below_.back());
  first_step_ = std::bit_floor(most);
}

void BlockModel::pack_trees() {
  std::size_t level = 0;
  const std::int16_t* own = trees_.leaves.data();
  int largest = 1;
  for (const auto depth : trees_.depths) {
    SixLevelTree tree{};
    if (depth == kSixLevels) {
      for (std::size_t place = 0; place < kSixLevels; ++place) {
        const auto feature = trees_.features[level + place];
        const auto found = std::ranges::find(rows_, feature);
        tree.places[place] = static_cast<std::uint16_t>(kTreeLane * static_cast<std::size_t>(found - rows_.begin()));
        if (found == rows_.end()) rows_.push_back(feature);
        tree.thresholds[place] = less_128(trees_.thresholds[level + place]);
      }
      for (std::size_t leaf = 0; leaf < tree.low.size(); ++leaf) {
        const auto bits = static_cast<std::uint16_t>(own[leaf]);
        tree.low[leaf] = static_cast<std::uint8_t>(bits & 0xFFU);
        tree.high[leaf] = static_cast<std::uint8_t>(bits >> 8U);
        largest = std::max(largest, std::abs(static_cast<int>(own[leaf])));
      }
      packed_.push_back(tree);
    }
    level += depth;
    own += std::size_t{1} << depth;
  }
  run_ = std::max<std::size_t>(1, INT16_MAX / static_cast<std::size_t>(largest));
}

void BlockModel::sum(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::int32_t* sums) const {
  const bool wide = has_wide_trees() && !packed_.empty();
  sum_trees(values, stride, blocks, sums, wide);
  if (wide) sum_wide(values, stride, blocks, sums);
}

// Adds the trees of six levels to the sums.
void BlockModel::sum_wide(const std::uint8_t* values, std::size_t stride, std::size_t blocks,
                          std::int32_t* sums) const {
  TreeLanes lanes;
  for (std::size_t start = 0; start < blocks; start += kTreeLane) {
    const std::size_t count = std::min(kTreeLane, blocks - start);
    std::array<std::uint8_t, kTreeLane> bytes{};
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const std::size_t place = rows_[row] * stride + start;
      // A copy of known size is quicker, and may take bytes of the next row with it.
      if (place + kTreeLane <= (read_.size() - 1) * stride + blocks) {
        std::memcpy(bytes.data(), values + place, kTreeLane);
      } else {
        std::memcpy(bytes.data(), values + place, count);
      }
      std::ranges::transform(bytes, lanes.values.begin() + static_cast<std::ptrdiff_t>(row * kTreeLane), less_128);
    }
    std::array<std::int32_t, kTreeLane> lane_sums{};
    std::copy_n(sums + start, count, lane_sums.begin());
    add_trees(packed_.data(), packed_.size(), run_, lanes, count, lane_sums.data());
    std::copy_n(lane_sums.begin(), count, sums + start);
  }
}

// Sums the trees, or only those that are not of six levels.
void BlockModel::sum_trees(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::int32_t* sums,
                           bool without_packed) const {
  // Four trees are added to the sums at once: a sum is loaded and stored once for them.
  std::array<std::array<std::uint8_t, kLane>, 4> leaf;
  std::array<const std::int16_t*, 4> leaves{};
  for (std::size_t start = 0; start < blocks; start += kLane) {
    const std::size_t count = std::min(kLane, blocks - start);
    std::int32_t* const sum = sums + start;
    std::fill_n(sum, count, trees_.bias);
    std::size_t level = 0, waiting = 0;
    const std::int16_t* own = trees_.leaves.data();
    for (const auto depth : trees_.depths) {
      if (without_packed && depth == kSixLevels) {
        level += depth;
        own += std::size_t{1} << depth;
        continue;
      }
      answer_tree(depth, level, values + start, stride, count, leaf[waiting].data());
      leaves[waiting++] = own;
      level += depth;
      own += std::size_t{1} << depth;
      if (waiting < leaves.size()) continue;
      for (std::size_t i = 0; i < count; ++i) {
        sum[i] += leaves[0][leaf[0][i]] + leaves[1][leaf[1][i]] + leaves[2][leaf[2][i]] + leaves[3][leaf[3][i]];
      }
      waiting = 0;
    }
    for (std::size_t tree = 0; tree < waiting; ++tree) {
      for (std::size_t i = 0; i < count; ++i) sum[i] += leaves[tree][leaf[tree][i]];
    }
  }
}

// Writes the leaf of each block in the tree whose levels begin at `level`.
void BlockModel::answer_tree(std::size_t depth, std::size_t level, const std::uint8_t* values, std::size_t stride,
                             std::size_t count, std::uint8_t* leaf) const {
  const auto column = [&](std::size_t bit) { return values + trees_.features[level + bit] * stride; };
  const auto* thresholds = trees_.thresholds.data() + level;
  std::size_t bit = 0;
  if (depth == 0) std::fill_n(leaf, count, std::uint8_t{0});
  if (depth >= 6) {
    answer_six(leaf, count, {column(0), column(1), column(2), column(3), column(4), column(5)}, thresholds);
    bit = 6;
  }
  for (; bit < depth; ++bit) answer(leaf, count, column(bit), thresholds[bit], bit);
}

// Returns the number of borders that the sum reaches: a search by halves, without a branch that depends on the sum.
std::uint16_t BlockModel::score_of(std::int32_t sum) const noexcept {
  const std::int64_t lowest = trees_.borders.front(), highest = trees_.borders.back();
  std::size_t reached =
      below_[static_cast<std::size_t>((std::clamp<std::int64_t>(sum, lowest, highest) - lowest) >> shift_)];
  for (std::size_t step = first_step_; step; step /= 2) {
    const std::size_t next = reached + step;
    if (next <= kScoreSteps) reached = trees_.borders[next - 1] <= sum ? next : reached;
  }
  return static_cast<std::uint16_t>(reached);
}

void BlockModel::score(const std::uint8_t* values, std::size_t stride, std::size_t blocks,
                       std::uint16_t* scores) const {
  std::array<std::int32_t, kLane> sums{};
  for (std::size_t start = 0; start < blocks; start += kLane) {
    const std::size_t count = std::min(kLane, blocks - start);
    sum(values + start, stride, count, sums.data());
    for (std::size_t i = 0; i < count; ++i) scores[start + i] = score_of(sums[i]);
  }
}

}  // namespace corpusprep
