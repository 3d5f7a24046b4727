#include "languages/word_ratios.hpp"

#include <algorithm>

namespace corpusprep {

WordRatios::WordRatios(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> shares)
    : keys_(keys), shares_(shares) {
  places_.reserve(keys.size());
  for (std::uint32_t place = 0; place < keys.size(); ++place) {
    if (keys[place] != 0) places_.insert(keys[place], place);
  }
}

UnequalWords WordRatios::unequal(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> shares,
                                 double ratio) const {
  UnequalWords found;
  if (keys.empty() || keys_.empty()) return found;
  const std::uint32_t least = std::max(std::ranges::min(shares_), std::ranges::min(shares));
  const auto add = [&](std::uint64_t key, std::uint32_t own, std::uint32_t other) {
    own = std::max(own, least);
    other = std::max(other, least);
    if (std::max(own, other) < ratio * std::min(own, other)) return;
    found.keys.push_back(key);
    found.own.push_back(own);
    found.other.push_back(other);
  };
  std::vector<bool> shared(keys_.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == 0) continue;
    const std::uint32_t place = places_.find(keys[i]);
    const bool has = place != KeyTable<std::uint64_t>::kNone;
    if (has) shared[place] = true;
    add(keys[i], has ? shares_[place] : 0, shares[i]);
  }
  for (std::size_t place = 0; place < keys_.size(); ++place) {
    if (keys_[place] != 0 && !shared[place]) add(keys_[place], shares_[place], 0);
  }
  return found;
}

}  // namespace corpusprep
