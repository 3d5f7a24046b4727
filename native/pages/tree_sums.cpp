#include "pages/tree_sums.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace corpusprep {

#if defined(__x86_64__)

namespace {

constexpr std::size_t kGroup = 16;  // leaves that one instruction looks up

[[gnu::target("avx2")]] __m256i load(const std::uint8_t* bytes) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

[[gnu::target("avx2")]] __m256i load_twice(const std::uint8_t* bytes) noexcept {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
}

[[gnu::target("avx2")]] __m256i all(std::uint8_t byte) noexcept { return _mm256_set1_epi8(static_cast<char>(byte)); }

// Returns the numbers of the leaves, 0 to 63.
[[gnu::target("avx2")]] __m256i leaves_of(const SixLevelTree& tree, const std::uint8_t* values,
                                          std::size_t stride) noexcept {
  __m256i leaf = _mm256_setzero_si256();
  for (std::size_t level = 0; level < tree.features.size(); ++level) {
    const __m256i over = _mm256_subs_epu8(load(values + tree.features[level] * stride), all(tree.thresholds[level]));
    const __m256i not_above = _mm256_cmpeq_epi8(over, _mm256_setzero_si256());
    leaf = _mm256_or_si256(leaf, _mm256_andnot_si256(not_above, all(static_cast<std::uint8_t>(1U << level))));
  }
  return leaf;
}

[[gnu::target("avx2")]] void add_widened(__m128i sixteen_bits, std::int32_t* sums) noexcept {
  auto* place = reinterpret_cast<__m256i*>(sums);
  _mm256_storeu_si256(place, _mm256_add_epi32(_mm256_loadu_si256(place), _mm256_cvtepi16_epi32(sixteen_bits)));
}

}  // namespace

bool has_wide_trees() noexcept {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

[[gnu::target("avx2")]] void add_trees(const SixLevelTree* trees, std::size_t count, std::size_t run,
                                       const std::uint8_t* values, std::size_t stride, std::int32_t* sums) noexcept {
  for (std::size_t first = 0; first < count; first += run) {
    const std::size_t end = std::min(count, first + run);
    __m256i near = _mm256_setzero_si256(), far = near;  // blocks 0 to 7 and 16 to 23; 8 to 15 and 24 to 31
    for (std::size_t t = first; t < end; ++t) {
      const SixLevelTree& tree = trees[t];
      const __m256i leaf = leaves_of(tree, values, stride);
      __m256i low = _mm256_setzero_si256(), high = low;
      for (std::size_t group = 0; group < tree.low.size(); group += kGroup) {
        // A place in the group is 0x70 to 0x7F, another one has the highest bit: then the value looked up is 0.
        const __m256i place =
            _mm256_adds_epu8(_mm256_xor_si256(leaf, all(static_cast<std::uint8_t>(group))), all(0x70));
        low = _mm256_or_si256(low, _mm256_shuffle_epi8(load_twice(tree.low.data() + group), place));
        high = _mm256_or_si256(high, _mm256_shuffle_epi8(load_twice(tree.high.data() + group), place));
      }
      near = _mm256_add_epi16(near, _mm256_unpacklo_epi8(low, high));
      far = _mm256_add_epi16(far, _mm256_unpackhi_epi8(low, high));
    }
    add_widened(_mm256_castsi256_si128(near), sums);
    add_widened(_mm256_castsi256_si128(far), sums + 8);
    add_widened(_mm256_extracti128_si256(near, 1), sums + 16);
    add_widened(_mm256_extracti128_si256(far, 1), sums + 24);
  }
}

#else

bool has_wide_trees() noexcept { return false; }

// The same, without these instructions.
void add_trees(const SixLevelTree* trees, std::size_t count, std::size_t /*run*/, const std::uint8_t* values,
               std::size_t stride, std::int32_t* sums) noexcept {
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t i = 0; i < kTreeLane; ++i) {
      unsigned leaf = 0;
      for (std::size_t level = 0; level < trees[t].features.size(); ++level) {
        leaf |= static_cast<unsigned>(values[trees[t].features[level] * stride + i] > trees[t].thresholds[level])
                << level;
      }
      const auto bits = static_cast<unsigned>(trees[t].low[leaf]) | static_cast<unsigned>(trees[t].high[leaf]) << 8U;
      sums[i] += static_cast<std::int16_t>(bits);
    }
  }
}

#endif

}  // namespace corpusprep
