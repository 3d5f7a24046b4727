// Bytes in groups of 64, looked at together.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace corpusprep::byte_groups {

inline constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
inline constexpr std::uint64_t kGather = 0x0102040810204080ULL;
inline constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
inline std::size_t ones(std::uint64_t bits) noexcept {
  bits -= bits >> 1 & 0x5555555555555555ULL;
  bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
  return ((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * kOnes >> 56;
}

static_assert(std::endian::native == std::endian::little, "the first byte of a group is its lowest");

inline std::uint64_t load(const std::uint8_t* bytes) noexcept {
  std::uint64_t group;
  std::memcpy(&group, bytes, 8);
  return group;
}

// Bytes of a group. A mask of a group has one bit per byte; the lowest bit stands for the first byte.
inline constexpr std::size_t kGroup = 64;

// The group at `place` and the two bytes before it. Bytes before or after the data are zeros, which are ASCII.
class ByteGroup {
 public:
  ByteGroup(const std::uint8_t* data, std::size_t place, std::size_t size) noexcept : bytes_(data + place - 2) {
    if (place >= 2 && place + kGroup <= size) return;
    const std::size_t before = place < 2 ? 0 : 2;
    std::memset(copy_, 0, sizeof copy_);
    std::copy(data + place - before, data + std::min(place + kGroup, size), copy_ + 2 - before);
    bytes_ = copy_;
  }
  // The two bytes before the group, then the group.
  const std::uint8_t* bytes() const noexcept { return bytes_; }

  // The mask of the bytes beyond ASCII.
  std::uint64_t high() const noexcept {
    std::uint64_t bits = 0;
#if defined(__SSE2__)
    for (unsigned i = 0; i < 4; ++i) {
      const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes_ + 2 + 16 * i));
      bits |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(bytes))} << (16 * i);
    }
#else
    // The multiplication moves the eight highest bits into the highest byte, in order.
    for (unsigned i = 0; i < 8; ++i) bits |= ((load(bytes_ + 2 + 8 * i) & kHighBits) >> 7) * kGather >> 56 << (8 * i);
#endif
    return bits;
  }

 private:
  const std::uint8_t* bytes_;
  std::uint8_t copy_[2 + kGroup];
};

// The place of the first whole group from `place` on with a byte beyond ASCII. If there is none, the place after the
// last whole group.
inline std::size_t skip_ascii(const std::uint8_t* data, std::size_t place, std::size_t size) noexcept {
  for (; place + kGroup <= size; place += kGroup) {
    std::uint64_t any = 0;
    for (unsigned i = 0; i < 8; ++i) any |= load(data + place + 8 * i);
    if ((any & kHighBits) != 0) break;
  }
  return place;
}

}  // namespace corpusprep::byte_groups
