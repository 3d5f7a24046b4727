#include "statistics/context_words.hpp"

#include <bit>
#include <cstring>

#include "pages/context.hpp"

namespace corpusprep {

namespace {

constexpr std::size_t kLanes = ContextWords::kLanes;

using Lanes [[gnu::vector_size(4 * kLanes)]] = std::uint32_t;
using Classes [[gnu::vector_size(kLanes)]] = std::uint8_t;

// Instead of branches, whose outcome is different in each classification, conditions are masks of 32 bits.
// `classes` has a row of kLanes classes for each kind, `sums` has kLanes numbers.
[[gnu::always_inline]] inline void add_blocks(const std::uint8_t* classes, std::uint64_t* sums,
                                              const std::uint32_t* kinds, const std::uint32_t* words,
                                              std::size_t blocks) noexcept {
  Lanes good{};    // words of good blocks
  Lanes before{};  // mask: the last block that is good or bad is good
  // Of the short and near-good blocks after it: all words, those up to the last near-good block, those from the first
  // one on; mask: there is a near-good one.
  Lanes all{}, up_to_last{}, from_first{}, near_good{};
  for (std::size_t block = 0; block < blocks; ++block) {
    Classes row;
    std::memcpy(&row, classes + std::size_t{kinds[block]} * kLanes, sizeof row);
    const Lanes found = __builtin_convertvector(row, Lanes);
    const std::uint32_t size = words[block];
    const auto is_good = std::bit_cast<Lanes>(found == std::uint32_t{kGood}),
               is_near_good = std::bit_cast<Lanes>(found == std::uint32_t{kNearGood});
    const Lanes decided = std::bit_cast<Lanes>(found == std::uint32_t{kBad}) | is_good;
    const Lanes between = (is_good & all) | (~is_good & up_to_last);
    const Lanes joined = (before & between) | (~before & is_good & from_first);
    good += (decided & joined) + (is_good & size);
    before = (decided & is_good) | (~decided & before);
    near_good = (near_good | is_near_good) & ~decided;
    all = (all + size) & ~decided;
    from_first = (from_first + (near_good & size)) & ~decided;
    up_to_last = ((is_near_good & all) | (~is_near_good & up_to_last)) & ~decided;
  }
  const Lanes last = before & up_to_last;
  for (std::size_t i = 0; i < kLanes; ++i) sums[i] += good[i] + std::uint64_t{last[i]};
}

using Add = void (*)(const std::uint8_t*, std::uint64_t*, const std::uint32_t*, const std::uint32_t*, std::size_t);

void add_plainly(const std::uint8_t* classes, std::uint64_t* sums, const std::uint32_t* kinds,
                 const std::uint32_t* words, std::size_t blocks) noexcept {
  add_blocks(classes, sums, kinds, words, blocks);
}

#if defined(__x86_64__)
// The same code with vectors that are twice as wide, which most processors have.
[[gnu::target("avx2")]] void add_widely(const std::uint8_t* classes, std::uint64_t* sums, const std::uint32_t* kinds,
                                        const std::uint32_t* words, std::size_t blocks) noexcept {
  add_blocks(classes, sums, kinds, words, blocks);
}

Add best_add() noexcept { return __builtin_cpu_supports("avx2") ? add_widely : add_plainly; }
#else
Add best_add() noexcept { return add_plainly; }
#endif

}  // namespace

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
  static const Add add = best_add();
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

}  // namespace corpusprep
