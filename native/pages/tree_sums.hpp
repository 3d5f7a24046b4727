// Sums over oblivious trees of six levels, 32 blocks at a time, with instructions that not every processor has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace corpusprep {

inline constexpr std::size_t kSixLevels = 6;

// A tree of six levels (see TreeArrays), its 64 leaves as low and high bytes.
struct SixLevelTree {
  std::array<std::uint8_t, kSixLevels> features, thresholds;
  std::array<std::uint8_t, 64> low, high;
};

inline constexpr std::size_t kTreeLane = 32;  // blocks

// Returns whether add_trees may be called: the processor has AVX2.
bool has_wide_trees() noexcept;

// Adds what each tree gives to the sums of kTreeLane blocks.
//   run     that many leaves of any trees have a sum of 16 bits
//   values  rows of kTreeLane values, one row per feature, `stride` values apart
void add_trees(const SixLevelTree* trees, std::size_t count, std::size_t run, const std::uint8_t* values,
               std::size_t stride, std::int32_t* sums) noexcept;

}  // namespace corpusprep
