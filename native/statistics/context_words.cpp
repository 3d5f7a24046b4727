#include "statistics/context_words.hpp"

#include <array>

#include "pages/context.hpp"

namespace corpusprep {

ContextWords::ContextWords(const std::uint8_t* classes, std::size_t kinds, std::size_t classifications)
    : kinds_(kinds),
      classifications_(classifications),
      groups_((classifications + kLanes - 1) / kLanes),
      ranges_(kinds),
      classes_(groups_ * kinds * kLanes, kBad),
      words_(groups_ * kLanes) {
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    for (std::size_t i = 0; i < classifications; ++i) {
      const std::uint8_t found = classes[kind * classifications + i];
      classes_[(i / kLanes * kinds + kind) * kLanes + i % kLanes] = found;
      ranges_[kind].always_bad &= found == kBad;
      ranges_[kind].ever_good |= found == kGood || found == kNearGood;
    }
  }
}

// A block that is always bad divides a page: what is before and after it does not see the other side.
void ContextWords::add_page(const std::uint32_t* kinds, const std::uint32_t* words, std::size_t blocks) noexcept {
  for (std::size_t first = 0; first < blocks;) {
    bool ever_good = false;
    std::size_t end = first;
    for (; end < blocks && !ranges_[kinds[end]].always_bad; ++end) ever_good |= ranges_[kinds[end]].ever_good;
    for (std::size_t group = 0; ever_good && group < groups_; ++group) {
      add(classes_.data() + group * kinds_ * kLanes, words_.data() + group * kLanes, kinds + first, words + first,
          end - first);
    }
    first = end + 1;
  }
}

// Instead of branches, whose outcome is different in each classification, conditions are masks of 32 bits.
void ContextWords::add(const std::uint8_t* classes, std::uint64_t* sums, const std::uint32_t* kinds,
                       const std::uint32_t* words, std::size_t blocks) const noexcept {
  using Lanes = std::array<std::uint32_t, kLanes>;
  constexpr auto mask = [](bool condition) { return condition ? ~std::uint32_t{0} : 0; };
  Lanes good{};    // words of good blocks
  Lanes before{};  // mask: the last block that is good or bad is good
  // Of the short and near-good blocks after it: all words, those up to the last near-good block, those from the first
  // one on; mask: there is a near-good one.
  Lanes all{}, up_to_last{}, from_first{}, near_good{};
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::uint8_t* const row = classes + std::size_t{kinds[block]} * kLanes;
    const std::uint32_t size = words[block];
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::uint32_t is_good = mask(row[i] == kGood), is_near_good = mask(row[i] == kNearGood);
      const std::uint32_t decided = mask(row[i] == kBad) | is_good;
      const std::uint32_t between = (is_good & all[i]) | (~is_good & up_to_last[i]);
      const std::uint32_t joined = (before[i] & between) | (~before[i] & is_good & from_first[i]);
      good[i] += (decided & joined) + (is_good & size);
      before[i] = (decided & is_good) | (~decided & before[i]);
      near_good[i] = (near_good[i] | is_near_good) & ~decided;
      all[i] = (all[i] + size) & ~decided;
      from_first[i] = (from_first[i] + (near_good[i] & size)) & ~decided;
      up_to_last[i] = ((is_near_good & all[i]) | (~is_near_good & up_to_last[i])) & ~decided;
    }
  }
  for (std::size_t i = 0; i < kLanes; ++i) sums[i] += good[i] + std::uint64_t{before[i] & up_to_last[i]};
}

}  // namespace corpusprep
