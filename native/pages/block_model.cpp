#include "pages/block_model.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace corpusprep {

namespace {

constexpr std::size_t kLane = 256;  // blocks that are looked up together: their leaf numbers stay in the first cache

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
}

void BlockModel::sum(const std::uint8_t* values, std::size_t stride, std::size_t blocks, std::int32_t* sums) const {
  std::array<std::uint8_t, kLane> leaf;
  for (std::size_t start = 0; start < blocks; start += kLane) {
    const std::size_t count = std::min(kLane, blocks - start);
    std::fill_n(sums + start, count, trees_.bias);
    std::size_t level = 0;
    const std::int16_t* leaves = trees_.leaves.data();
    for (const auto depth : trees_.depths) {
      const auto column = [&](std::size_t bit) { return values + trees_.features[level + bit] * stride + start; };
      const auto* thresholds = trees_.thresholds.data() + level;
      std::size_t bit = 0;
      if (depth == 0) leaf.fill(0);
      if (depth >= 6) {
        answer_six(leaf.data(), count, {column(0), column(1), column(2), column(3), column(4), column(5)}, thresholds);
        bit = 6;
      }
      for (; bit < depth; ++bit) answer(leaf.data(), count, column(bit), thresholds[bit], bit);
      level += depth;
      for (std::size_t i = 0; i < count; ++i) sums[start + i] += leaves[leaf[i]];
      leaves += std::size_t{1} << depth;
    }
  }
}

void BlockModel::score(const std::uint8_t* values, std::size_t stride, std::size_t blocks,
                       std::uint16_t* scores) const {
  std::vector<std::int32_t> sums(blocks);
  sum(values, stride, blocks, sums.data());
  const auto& borders = trees_.borders;
  for (std::size_t i = 0; i < blocks; ++i) {
    const auto reached = std::ranges::upper_bound(borders, sums[i]) - borders.begin();
    scores[i] = static_cast<std::uint16_t>(reached);
  }
}

}  // namespace corpusprep
