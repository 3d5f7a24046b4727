#include "pages/context.hpp"

namespace corpusprep {

void classify_context(const std::uint8_t* classes, std::size_t blocks, std::uint8_t* good) noexcept {
  const auto class_of = [&](std::size_t i) { return classes[i] & 3; };
  const auto undecided = [&](std::size_t i) { return class_of(i) == kShort || class_of(i) == kNearGood; };

  bool good_before = false;
  std::size_t start = 0;
  while (start < blocks) {
    if (!undecided(start)) {
      good_before = class_of(start) == kGood;
      good[start] = good_before;
      ++start;
      continue;
    }
    // A sequence of short and near-good blocks. The first and last near-good blocks delimit the good areas.
    std::size_t end = start, first_near_good = blocks, after_last_near_good = start;
    for (; end < blocks && undecided(end); ++end) {
      if (class_of(end) != kNearGood) continue;
      if (first_near_good == blocks) first_near_good = end;
      after_last_near_good = end + 1;
    }
    const bool good_after = end < blocks && class_of(end) == kGood;
    std::size_t good_from = end, good_to = end;
    if (good_before)
      good_from = start, good_to = good_after ? end : after_last_near_good;
    else if (good_after)
      good_from = first_near_good < end ? first_near_good : end;
    for (std::size_t i = start; i < end; ++i) good[i] = i >= good_from && i < good_to;
    start = end;
  }
}

}  // namespace corpusprep
