#include "research/boosting.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/hash.hpp"

namespace corpusprep {

namespace {

constexpr std::int32_t kClip = 16 * kScoreScale;  // beyond 16 units of log-odds a probability is 0 or 1
constexpr int kTableShift = 4;                    // scores per entry of the table of probabilities, as a power of 2
constexpr std::int64_t kShare = 1024;

// Mixes numbers into a draw (SplitMix64, Steele et al. 2014).
std::uint64_t draw(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return mix64(seed + 0x9E3779B97F4A7C15U * (a + 1) + 0xD1B54A32D192ED03U * (b + 1));
}

bool drawn(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::int32_t share) {
  return std::cmp_less(draw(seed, a, b) >> 54U, share);
}

// Gradient and hessian in one number, so that one addition adds both: the gradient is above bit 32, the hessian, which
// is never negative, below.
std::int64_t packed(std::int64_t gradient, std::int64_t hessian) {
  return gradient * (std::int64_t{1} << 32) + hessian;
}
double gradient_of(std::int64_t sums) { return static_cast<double>(sums >> 32); }
double hessian_of(std::int64_t sums) { return static_cast<double>(sums & 0xFFFFFFFF); }

class Booster {
 public:
  Booster(const std::uint8_t* columns, std::size_t features, std::size_t rows, const std::uint16_t* labels,
          const std::uint16_t* weights, std::int32_t start, const BoostingSettings& settings)
      : columns_(columns),
        features_(features),
        rows_(rows),
        labels_(labels),
        weights_(weights),
        settings_(settings),
        probabilities_((2 * kClip >> kTableShift) + 1),
        packed_(rows),
        leaf_of_(rows) {
    found_.scores.assign(rows, start);
    for (std::size_t i = 0; i < probabilities_.size(); ++i) {
      const double score = (static_cast<double>(i << kTableShift) - kClip) / kScoreScale;
      probabilities_[i] = static_cast<std::int32_t>(std::lround(65535.0 / (1.0 + std::exp(-score))));
    }
    for (std::size_t row = 0; row < rows; ++row) {
      if (weights[row] > 0) taught_.push_back(static_cast<std::uint32_t>(row));
    }
  }

  BoostedTrees run() {
    for (std::int32_t tree = 0; tree < settings_.trees; ++tree) grow(tree);
    return std::move(found_);
  }

 private:
  // Sets the gradients and hessians of the rows: w (y - p) and w p (1 - p), in quarters of a unit of weight.
  void differentiate() {
    for (const std::uint32_t row : taught_) {
      const std::int32_t score = std::clamp(found_.scores[row], -kClip, kClip);
      const std::int64_t p = probabilities_[(score + kClip) >> kTableShift];
      const std::int64_t weight = weights_[row];
      const std::int64_t gradient = weight * (labels_[row] - p) / (1 << 14);
      const std::int64_t hessian = weight * (p * (65535 - p) / 65535) / (1 << 14);
      packed_[row] = packed(gradient, hessian);
    }
  }

  void grow(std::int32_t tree) {
    differentiate();
    chosen_.clear();
    for (const std::uint32_t row : taught_) {
      if (drawn(settings_.seed, tree, row, settings_.sampled_rows)) chosen_.push_back(row);
    }
    std::ranges::fill(leaf_of_, 0);
    for (std::int32_t level = 0; level < settings_.depth; ++level) {
      const auto [feature, threshold] = best_split(tree, level);
      found_.features.push_back(static_cast<std::uint16_t>(feature));
      found_.thresholds.push_back(threshold);
      const std::uint8_t* column = columns_ + feature * rows_;
      for (std::size_t row = 0; row < rows_; ++row) {
        leaf_of_[row] = static_cast<std::uint8_t>(leaf_of_[row] * 2 + (column[row] > threshold));
      }
    }
    set_leaves();
  }

  struct Split {
    std::size_t feature;
    std::uint8_t threshold;
  };

  // Returns the split of all leaves with the highest gain; of several the one of the lowest feature and threshold.
  Split best_split(std::int32_t tree, std::int32_t level) {
    Split best{0, static_cast<std::uint8_t>(settings_.bins - 1)};
    double most = -1.0;
    const std::size_t leaves = std::size_t{1} << level;
    const std::size_t bins = settings_.bins;
    for (std::size_t feature = 0; feature < features_; ++feature) {
      if (!drawn(settings_.seed + 1, tree * 8 + level, feature, settings_.sampled_features)) continue;
      sums_.assign(leaves * bins, 0);
      const std::uint8_t* column = columns_ + feature * rows_;
      for (const std::uint32_t row : chosen_) sums_[leaf_of_[row] * bins + column[row]] += packed_[row];
      gains_.assign(bins, 0.0);
      for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        std::int64_t total = 0, below = 0;
        for (std::size_t bin = 0; bin < bins; ++bin) total += sums_[leaf * bins + bin];
        for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
          below += sums_[leaf * bins + bin];
          gains_[bin] += gain(below) + gain(total - below);
        }
      }
      for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
        if (gains_[bin] > most) most = gains_[bin], best = {feature, static_cast<std::uint8_t>(bin)};
      }
    }
    return best;
  }

  double gain(std::int64_t sums) const {
    const double gradient = gradient_of(sums);
    return gradient * gradient / (hessian_of(sums) + static_cast<double>(settings_.regularisation));
  }

  // Sets the leaves of the newest tree from all rows, and adds them to the scores.
  void set_leaves() {
    const std::size_t leaves = std::size_t{1} << settings_.depth;
    sums_.assign(leaves, 0);
    for (const std::uint32_t row : taught_) sums_[leaf_of_[row]] += packed_[row];
    const std::size_t first = found_.leaves.size();
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const std::int64_t gradient = sums_[leaf] >> 32, hessian = sums_[leaf] & 0xFFFFFFFF;
      const std::int64_t step = gradient * kScoreScale * settings_.learning_rate / kShare;
      const std::int64_t value = step / std::max<std::int64_t>(1, hessian + settings_.regularisation);
      found_.leaves.push_back(static_cast<std::int16_t>(std::clamp<std::int64_t>(value, -32767, 32767)));
    }
    for (std::size_t row = 0; row < rows_; ++row) found_.scores[row] += found_.leaves[first + leaf_of_[row]];
  }

  const std::uint8_t* columns_;
  std::size_t features_, rows_;
  const std::uint16_t *labels_, *weights_;
  BoostingSettings settings_;
  std::vector<std::int32_t> probabilities_;     // in 65535ths, by score
  std::vector<std::int64_t> packed_;            // by row
  std::vector<std::uint8_t> leaf_of_;           // by row, of the tree that grows
  std::vector<std::uint32_t> taught_, chosen_;  // the rows with a weight; those that choose the splits of the tree
  std::vector<std::int64_t> sums_;
  std::vector<double> gains_;
  BoostedTrees found_;
};

}  // namespace

BoostedTrees boost(const std::uint8_t* columns, std::size_t features, std::size_t rows, const std::uint16_t* labels,
                   const std::uint16_t* weights, std::int32_t start, const BoostingSettings& settings) {
  return Booster(columns, features, rows, labels, weights, start, settings).run();
}

}  // namespace corpusprep
