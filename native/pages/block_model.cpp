#include "pages/block_model.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace corpusprep {

namespace {

constexpr std::size_t kLane = 256;  // blocks that are looked up together: their leaf numbers stay in the first cache

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
  if (trees_.borders.size() != kScoreSteps || !std::is_sorted(trees_.borders.begin(), trees_.borders.end())) {
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
      leaf.fill(0);
      for (std::size_t bit = 0; bit < depth; ++bit, ++level) {
        const std::uint8_t* column = values + trees_.features[level] * stride + start;
        const std::uint8_t threshold = trees_.thresholds[level];
        for (std::size_t i = 0; i < count; ++i) {
          leaf[i] = static_cast<std::uint8_t>(leaf[i] | (static_cast<unsigned>(column[i] > threshold) << bit));
        }
      }
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
    const auto reached = std::upper_bound(borders.begin(), borders.end(), sums[i]) - borders.begin();
    scores[i] = static_cast<std::uint16_t>(reached);
  }
}

}  // namespace corpusprep
