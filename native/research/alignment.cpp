#include "research/alignment.hpp"

#include <algorithm>
#include <utility>

namespace corpusprep {

namespace {

constexpr std::int64_t kPopularFrom = 200;  // words of the gold text; no word of a shorter text is popular

class Aligner {
 public:
  Aligner(const std::int32_t* a, const std::int32_t* b, std::int64_t m, std::size_t words, bool popular)
      : a_(a), b_(b), starts_(words + 1), ends_(words), places_(m), before_(m + 1), now_(m + 1) {
    for (std::int64_t j = 0; j < m; ++j) ++starts_[b[j] + 1];
    for (std::size_t word = 0; word < words; ++word) starts_[word + 1] += starts_[word];
    std::copy(starts_.begin(), starts_.end() - 1, ends_.begin());
    for (std::int64_t j = 0; j < m; ++j) places_[ends_[b[j]]++] = j;
    if (popular && m >= kPopularFrom) {
      for (std::size_t word = 0; word < words; ++word) {
        if (ends_[word] - starts_[word] > m / 100 + 1) ends_[word] = starts_[word];
      }
    }
  }

  // Returns the longest common sequence of a[alo, ahi) and b[blo, bhi).
  MatchingBlock longest(std::int64_t alo, std::int64_t ahi, std::int64_t blo, std::int64_t bhi) {
    MatchingBlock best{alo, blo, 0};
    for (std::int64_t i = alo; i < ahi; ++i) {
      // now_[j + 1] is the length of the common sequence that ends in a[i] and b[j]; before_ is the same for a[i - 1].
      each_place(a_[i], blo, bhi, [&](std::int64_t j) {
        const std::int64_t length = before_[j] + 1;
        now_[j + 1] = length;
        if (length > best.length) best = {i - length + 1, j - length + 1, length};
      });
      if (i > alo) each_place(a_[i - 1], blo, bhi, [&](std::int64_t j) { before_[j + 1] = 0; });
      std::swap(before_, now_);
    }
    if (ahi > alo) each_place(a_[ahi - 1], blo, bhi, [&](std::int64_t j) { before_[j + 1] = 0; });
    while (best.text > alo && best.gold > blo && a_[best.text - 1] == b_[best.gold - 1]) {
      --best.text, --best.gold, ++best.length;
    }
    while (best.text + best.length < ahi && best.gold + best.length < bhi &&
           a_[best.text + best.length] == b_[best.gold + best.length]) {
      ++best.length;
    }
    return best;
  }

 private:
  template <typename Visit>
  void each_place(std::int32_t word, std::int64_t blo, std::int64_t bhi, Visit visit) {
    const auto end = places_.begin() + ends_[word];
    for (auto place = std::lower_bound(places_.begin() + starts_[word], end, blo); place != end && *place < bhi;
         ++place) {
      visit(*place);
    }
  }

  const std::int32_t* a_;
  const std::int32_t* b_;
  std::vector<std::int64_t> starts_, ends_, places_;  // the places of word w in b are places_[starts_[w], ends_[w])
  std::vector<std::int64_t> before_, now_;
};

}  // namespace

std::vector<MatchingBlock> matching_blocks(const std::int32_t* a, std::size_t n, const std::int32_t* b, std::size_t m,
                                           std::size_t words, bool popular) {
  struct Range {
    std::int64_t alo, ahi, blo, bhi;
  };
  Aligner aligner(a, b, static_cast<std::int64_t>(m), words, popular);
  std::vector<MatchingBlock> blocks;
  std::vector<Range> ranges{{0, static_cast<std::int64_t>(n), 0, static_cast<std::int64_t>(m)}};
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    const MatchingBlock block = aligner.longest(range.alo, range.ahi, range.blo, range.bhi);
    if (block.length == 0) continue;
    blocks.push_back(block);
    if (range.alo < block.text && range.blo < block.gold)
      ranges.push_back({range.alo, block.text, range.blo, block.gold});
    const std::int64_t a_end = block.text + block.length, b_end = block.gold + block.length;
    if (a_end < range.ahi && b_end < range.bhi) ranges.push_back({a_end, range.ahi, b_end, range.bhi});
  }
  std::ranges::sort(blocks,
                    [](const MatchingBlock& left, const MatchingBlock& right) { return left.text < right.text; });
  return blocks;
}

}  // namespace corpusprep
