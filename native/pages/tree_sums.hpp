// Sums over oblivious trees of six levels, 64 blocks at a time, with instructions that not every processor has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace corpusprep {

inline constexpr std::size_t kSixLevels = 6;
inline constexpr std::size_t kTreeLane = 64;  // blocks

// Values of kTreeLane blocks less 128: instructions compare signed bytes. One row per feature that trees read.
struct TreeLanes {
  alignas(kTreeLane) std::array<std::int8_t, 256 * kTreeLane> values;
};

// A tree of six levels (see TreeArrays), its 64 leaves as low and high bytes.
struct SixLevelTree {
  std::array<std::uint16_t, kSixLevels> places;    // where the rows of its features begin
  std::array<std::int8_t, kSixLevels> thresholds;  // less 128
  std::array<std::uint8_t, 64> low, high;
};

// Returns whether add_trees may be called: the processor has AVX2.
bool has_wide_trees() noexcept;

// Adds what each tree gives to the sums of the first `blocks` blocks; there is room for kTreeLane sums, and the others
// may be anything. That many leaves of any trees as `run` have a sum of 16 bits.
void add_trees(const SixLevelTree* trees, std::size_t count, std::size_t run, const TreeLanes& lanes,
               std::size_t blocks, std::int32_t* sums) noexcept;

}  // namespace corpusprep
