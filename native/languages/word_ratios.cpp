#include "languages/word_ratios.hpp"

#include <algorithm>
#include <cmath>

namespace corpusprep {

namespace {

// Returns the evidence of a word with these shares; 0 for none. least: the share of words that a language lacks.
std::int32_t evidence_of(std::uint32_t own, std::uint32_t other, std::uint32_t least,
                         const EvidenceScale& scale) noexcept {
  own = std::max(own, least);
  other = std::max(other, least);
  if (std::max(own, other) < scale.least_ratio * std::min(own, other)) return 0;
  const double ratio = std::clamp(static_cast<double>(own) / other, 1 / scale.most_ratio, scale.most_ratio);
  return static_cast<std::int32_t>(std::nearbyint(std::log(ratio) * scale.unit));
}

}  // namespace

WordRatios::WordRatios(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> shares)
    : keys_(keys), shares_(shares), least_(shares.empty() ? 0 : std::ranges::min(shares)) {
  places_.reserve(keys.size());
  for (std::uint32_t place = 0; place < keys.size(); ++place) {
    if (keys[place] != 0) places_.insert(keys[place], place);
  }
}

UnequalWords WordRatios::unequal(const WordRatios& other, const EvidenceScale& scale) const {
  UnequalWords found;
  if (keys_.empty() || other.keys_.empty()) return found;
  const std::uint32_t least = std::max(least_, other.least_);
  const auto add = [&](std::uint64_t key, std::uint32_t own_share, std::uint32_t other_share) {
    const auto evidence = evidence_of(own_share, other_share, least, scale);
    if (evidence == 0) return;
    found.keys.push_back(key);
    found.evidence.push_back(evidence);
  };
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] != 0) add(keys_[i], shares_[i], other.share(keys_[i]));
  }
  for (std::size_t i = 0; i < other.keys_.size(); ++i) {
    const auto key = other.keys_[i];
    if (key != 0 && places_.find(key) == KeyTable<std::uint64_t>::kNone) add(key, 0, other.shares_[i]);
  }
  return found;
}

WordComparison::WordComparison(const WordRatios& own, std::span<const WordRatios* const> others,
                               const EvidenceScale& scale)
    : own_(own), others_(others.begin(), others.end()), scale_(scale), keys_(kKept), evidence_(kKept * others.size()) {}

std::vector<std::int64_t> WordComparison::sums(std::span<const std::uint64_t> words) {
  std::vector<std::int64_t> found(others_.size());
  add(words, found);
  return found;
}

bool WordComparison::reach(std::span<const std::uint64_t> words, std::span<const std::int64_t> floors) {
  const auto most = std::llrint(std::log(scale_.most_ratio) * scale_.unit);  // a word's evidence, for or against
  std::vector<std::int64_t> found(others_.size());
  for (;;) {
    const auto left = static_cast<std::int64_t>(words.size()) * most;
    bool all = true, never = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      all &= found[i] - left >= floors[i];
      never |= found[i] + left < floors[i];
    }
    if (all) return true;
    if (never) return false;
    const auto next = words.first(std::min(words.size(), kTogether));
    add(next, found);
    words = words.subspan(next.size());
  }
}

void WordComparison::add(std::span<const std::uint64_t> words, std::span<std::int64_t> sums) {
  const std::size_t columns = others_.size();
  if (own_.keys_.empty()) return;
  for (const auto word : words) {
    const std::size_t slot = word & (kKept - 1);
    auto* row = evidence_.data() + slot * columns;
    if (keys_[slot] != word) {
      const auto share = own_.share(word);
      for (std::size_t i = 0; i < columns; ++i) {
        const auto& other = *others_[i];
        const std::uint32_t least = std::max(own_.least_, other.least_);
        row[i] = other.keys_.empty() ? 0 : evidence_of(share, other.share(word), least, scale_);
      }
      keys_[slot] = word;
    }
    for (std::size_t i = 0; i < columns; ++i) sums[i] += row[i];
  }
}

}  // namespace corpusprep
