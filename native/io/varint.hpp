// LEB128: whole numbers in bytes of seven bits, the lowest bits first. Most numbers take one byte.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corpusprep {

inline constexpr std::size_t kLongestVarint = 10;

// Writes the number to `out`, which has room for kLongestVarint bytes. Returns how many it took.
inline std::size_t put_varint(unsigned char* out, std::uint64_t value) noexcept {
  std::size_t size = 0;
  for (; value >= 0x80; value >>= 7) out[size++] = static_cast<unsigned char>(value | 0x80);
  out[size++] = static_cast<unsigned char>(value);
  return size;
}

struct Varint {
  std::uint64_t value;
  const unsigned char* next;  // after the number; null if no writer writes these bytes
};

// The number in the bytes from `bytes` to before `end`. Numbers with more bytes than they need, or more than 64 bits,
// are refused.
inline Varint get_varint(const unsigned char* bytes, const unsigned char* end) noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && bytes != end; shift += 7) {
    const std::uint64_t byte = *bytes++;
    value |= (byte & 0x7F) << shift;
    if (byte >= 0x80) continue;
    const bool canonical = (byte != 0 || shift == 0) && byte >> (64 - shift < 7 ? 64 - shift : 7) == 0;
    return {value, canonical ? bytes : nullptr};
  }
  return {value, nullptr};
}

}  // namespace corpusprep
