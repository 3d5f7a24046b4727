#include "pages/tree_sums.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace corpusprep {

#if defined(__x86_64__)

namespace {

constexpr std::size_t kGroup = 16;  // leaves that one instruction looks up

[[gnu::target("avx2")]] __m256i load_twice(const std::uint8_t* bytes) noexcept {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
}

// One byte of each leaf, in four groups: one of them holds bytes[leaf].
struct Groups {
  __m256i at_0, at_16, at_32, at_48;
};

[[gnu::target("avx2")]] Groups load_groups(const std::array<std::uint8_t, 64>& bytes) noexcept {
  return {load_twice(bytes.data()), load_twice(bytes.data() + kGroup), load_twice(bytes.data() + 2 * kGroup),
          load_twice(bytes.data() + 3 * kGroup)};
}

// Returns bytes[leaf] for leaves of 0 to 63. A blend reads the highest bit of each byte: shifted, those of 16 and 32.
[[gnu::target("avx2")]] __m256i look_up(const Groups& bytes, __m256i leaf) noexcept {
  const __m256i bit_16 = _mm256_slli_epi16(leaf, 3), bit_32 = _mm256_slli_epi16(leaf, 2);
  return _mm256_blendv_epi8(
      _mm256_blendv_epi8(_mm256_shuffle_epi8(bytes.at_0, leaf), _mm256_shuffle_epi8(bytes.at_16, leaf), bit_16),
      _mm256_blendv_epi8(_mm256_shuffle_epi8(bytes.at_32, leaf), _mm256_shuffle_epi8(bytes.at_48, leaf), bit_16),
      bit_32);
}

[[gnu::target("avx2")]] void add_widened(__m128i sixteen_bits, std::int32_t* sums) noexcept {
  auto* place = reinterpret_cast<__m256i*>(sums);
  _mm256_storeu_si256(place, _mm256_add_epi32(_mm256_loadu_si256(place), _mm256_cvtepi16_epi32(sixteen_bits)));
}

// Adds the trees to the sums of `kHalves` times 32 blocks. What is read of a tree serves all of them.
template <std::size_t kHalves>
[[gnu::target("avx2")]] void add_halves(const SixLevelTree* trees, std::size_t count, std::size_t run,
                                        const TreeLanes& lanes, std::int32_t* sums) noexcept {
  for (std::size_t first = 0; first < count; first += run) {
    const std::size_t end = std::min(count, first + run);
    __m256i near[kHalves], far[kHalves];  // blocks 0 to 7 and 16 to 23; 8 to 15 and 24 to 31
    for (std::size_t half = 0; half < kHalves; ++half) near[half] = far[half] = _mm256_setzero_si256();
    for (std::size_t t = first; t < end; ++t) {
      const SixLevelTree& tree = trees[t];
      __m256i leaf[kHalves];
      for (std::size_t level = kSixLevels; level-- > 0;) {
        const auto* values = reinterpret_cast<const __m256i*>(lanes.values.data() + tree.places[level]);
        const __m256i threshold = _mm256_set1_epi8(tree.thresholds[level]);
        for (std::size_t half = 0; half < kHalves; ++half) {
          // A comparison that holds is -1.
          const __m256i above = _mm256_cmpgt_epi8(_mm256_load_si256(values + half), threshold);
          const __m256i before =
              level + 1 < kSixLevels ? _mm256_add_epi8(leaf[half], leaf[half]) : _mm256_setzero_si256();
          leaf[half] = _mm256_sub_epi8(before, above);
        }
      }
      const Groups low = load_groups(tree.low), high = load_groups(tree.high);
      for (std::size_t half = 0; half < kHalves; ++half) {
        const __m256i low_bytes = look_up(low, leaf[half]), high_bytes = look_up(high, leaf[half]);
        near[half] = _mm256_add_epi16(near[half], _mm256_unpacklo_epi8(low_bytes, high_bytes));
        far[half] = _mm256_add_epi16(far[half], _mm256_unpackhi_epi8(low_bytes, high_bytes));
      }
    }
    for (std::size_t half = 0; half < kHalves; ++half) {
      std::int32_t* own = sums + 32 * half;
      add_widened(_mm256_castsi256_si128(near[half]), own);
      add_widened(_mm256_castsi256_si128(far[half]), own + 8);
      add_widened(_mm256_extracti128_si256(near[half], 1), own + 16);
      add_widened(_mm256_extracti128_si256(far[half], 1), own + 24);
    }
  }
}

}  // namespace

bool has_wide_trees() noexcept {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

void add_trees(const SixLevelTree* trees, std::size_t count, std::size_t run, const TreeLanes& lanes,
               std::size_t blocks, std::int32_t* sums) noexcept {
  if (blocks > 32) {
    add_halves<2>(trees, count, run, lanes, sums);
  } else {
    add_halves<1>(trees, count, run, lanes, sums);
  }
}

#else

bool has_wide_trees() noexcept { return false; }

// The same, without these instructions.
void add_trees(const SixLevelTree* trees, std::size_t count, std::size_t /*run*/, const TreeLanes& lanes,
               std::size_t blocks, std::int32_t* sums) noexcept {
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t i = 0; i < blocks; ++i) {
      unsigned leaf = 0;
      for (std::size_t level = 0; level < kSixLevels; ++level) {
        leaf |= static_cast<unsigned>(lanes.values[trees[t].places[level] + i] > trees[t].thresholds[level]) << level;
      }
      const auto bits = static_cast<unsigned>(trees[t].low[leaf]) | static_cast<unsigned>(trees[t].high[leaf]) << 8U;
      sums[i] += static_cast<std::int16_t>(bits);
    }
  }
}

#endif

}  // namespace corpusprep
