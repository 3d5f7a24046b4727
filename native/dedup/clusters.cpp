#include "dedup/clusters.hpp"

#include <algorithm>
#include <cmath>

#include "common/hash.hpp"

namespace corpusprep::blocks {

namespace {

// Returns how many numbers two ascending lists have in common.
std::uint64_t in_both(const std::uint64_t* a, std::size_t a_size, const std::uint64_t* b, std::size_t b_size) noexcept {
  const std::uint64_t *a_end = a + a_size, *b_end = b + b_size;
  std::uint64_t common = 0;
  while (a != a_end && b != b_end) {
    const std::uint64_t left = *a, right = *b;
    common += left == right;
    a += left <= right;
    b += right <= left;
  }
  return common;
}

}  // namespace

std::uint64_t Resemblance::least_common(std::uint64_t ngrams) const noexcept {
  // Division rounds correctly, so a share that equals the decimal reaches it; the product may be off by one.
  auto least = static_cast<std::uint64_t>(std::ceil(share_ * static_cast<double>(ngrams)));
  while (least > 1 && reached(least - 1, ngrams)) --least;
  while (least < ngrams && !reached(least, ngrams)) ++least;
  return std::max<std::uint64_t>(least, 1);
}

void ClusterCandidates::feed(std::string_view bytes) {
  reader_.feed(bytes);
  std::string_view record;
  while (reader_.next(record)) {
    decode(record, reader_.header(), true, document_);
    const std::uint64_t n = reader_.header().n, counted = document_.order.counted;
    if (document_.matches.empty()) continue;
    distinct_.clear();
    for (const Match& match : document_.matches) distinct_.push_back(match.key);
    std::ranges::sort(distinct_);
    // NOLINTNEXTLINE(modernize-use-ranges): Clang 14 does not compile std::ranges::unique of GCC's library.
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    // The others occur once in the corpus.
    const std::uint64_t all = counted - n + 1 - document_.matches.size() + distinct_.size();
    if (distinct_.size() < resemblance_.least_common(all)) continue;
    documents.push_back(document_.document);
    ngrams.push_back(static_cast<std::uint32_t>(all));
    sizes.push_back(static_cast<std::uint32_t>(distinct_.size()));
    ranks.push_back(document_.order.rank);
    keys.insert(keys.end(), distinct_.begin(), distinct_.end());
  }
}

ClusterPass::ClusterPass(double share, std::size_t counters, std::size_t most_keys, std::size_t most_entries)
    : resemblance_(share),
      counters_(counters),
      most_keys_(most_keys),
      most_entries_(most_entries),
      slots_(2 * most_entries + 2, Slot{0, kNone}) {
  // A vector that grows holds its numbers twice or three times for a while.
  entries_.reserve(most_entries);
  leaders_.reserve(most_entries);
  marks_.reserve(most_entries);
  keys_.reserve(most_keys);
}

std::uint16_t& ClusterPass::counter(std::uint64_t key) noexcept {
  return counters_[(mix64(key + 1) >> 32) * counters_.size() >> 32];
}

void ClusterPass::count(const std::uint64_t* keys, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    std::uint16_t& value = counter(keys[i]);
    value = static_cast<std::uint16_t>(value + (value != UINT16_MAX));
  }
}

// Returns how many n-grams of a document are looked up: one of the n-grams that it has in common with a near-duplicate
// is among its rarest ones. Those that occur once in the corpus are the rarest, and need no look-up.
std::size_t ClusterPass::entries(std::uint32_t ngrams, std::size_t size) const noexcept {
  return size + 1 - std::min<std::size_t>(size, resemblance_.least_common(ngrams));
}

std::size_t ClusterPass::slot_of(std::uint64_t key) const noexcept {
  const std::size_t size = slots_.size();
  auto slot = static_cast<std::size_t>(static_cast<unsigned __int128>(mix64(key ^ 0x9E3779B97F4A7C15ULL)) * size >> 64);
  while (slots_[slot].first != kNone && slots_[slot].key != key) slot = slot + 1 == size ? 0 : slot + 1;
  return slot;
}

void ClusterPass::find_rare(const std::uint64_t* keys, std::size_t size, std::size_t entries) {
  ordered_.clear();
  for (std::size_t i = 0; i < size; ++i) ordered_.emplace_back(counter(keys[i]), keys[i]);
  if (entries < size) {
    std::ranges::nth_element(ordered_, ordered_.begin() + static_cast<std::ptrdiff_t>(entries));
  }
  rare_.clear();
  for (std::size_t i = 0; i < entries; ++i) rare_.push_back(ordered_[i].second);
}

void ClusterPass::find_candidates(std::uint32_t ngrams) {
  candidates_.clear();
  if (++mark_ == 0) {
    std::ranges::fill(marks_, 0);
    mark_ = 1;
  }
  for (const std::uint64_t key : rare_) {
    for (std::uint32_t place = slots_[slot_of(key)].first; place != kNone; place = entries_[place].next) {
      const std::uint32_t leader = entries_[place].leader;
      if (marks_[leader] == mark_) continue;
      marks_[leader] = mark_;
      const std::uint32_t other = leaders_[leader].ngrams;
      if (resemblance_.reached(std::min(ngrams, other), std::max(ngrams, other))) candidates_.push_back(leader);
    }
  }
  std::ranges::sort(candidates_);
}

std::uint64_t ClusterPass::document(std::uint64_t rank, std::uint32_t ngrams, const std::uint64_t* keys,
                                    std::size_t size, std::uint64_t& common, std::uint64_t& all) {
  find_rare(keys, size, entries(ngrams, size));
  find_candidates(ngrams);
  for (const std::uint32_t candidate : candidates_) {
    const Leader& leader = leaders_[candidate];
    common = in_both(keys, size, keys_.data() + leader.start, leader.size);
    all = std::uint64_t{ngrams} + leader.ngrams - common;
    if (resemblance_.reached(common, all)) return leader.rank;
  }
  common = all = ngrams;
  // A document that was left may be the one that a later document belongs to.
  full_ = full_ || keys_.size() + size > most_keys_ || entries_.size() + rare_.size() > most_entries_;
  if (full_) return kUndecided;
  const auto number = static_cast<std::uint32_t>(leaders_.size());
  leaders_.push_back({rank, keys_.size(), ngrams, static_cast<std::uint32_t>(size)});
  marks_.push_back(0);
  keys_.insert(keys_.end(), keys, keys + size);
  for (const std::uint64_t key : rare_) {
    Slot& slot = slots_[slot_of(key)];
    entries_.push_back({number, slot.first});
    slot = {key, static_cast<std::uint32_t>(entries_.size() - 1)};
  }
  return rank;
}

void ClusterPass::restart() {
  std::ranges::fill(slots_, Slot{0, kNone});
  entries_.clear();
  leaders_.clear();
  marks_.clear();
  keys_.clear();
  full_ = false;
}

}  // namespace corpusprep::blocks
