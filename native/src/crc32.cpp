#include "corpusprep/crc32.hpp"

#include <array>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define CORPUSPREP_CARRYLESS 1
#endif

namespace corpusprep {

namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320;  // bits reversed
constexpr std::size_t kSlices = 8;                 // bytes that one step takes

// [k][b]: what byte b does to the remainder when k more bytes follow it.
constexpr auto kTables = [] {
  std::array<std::array<std::uint32_t, 256>, kSlices> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ kPolynomial : value >> 1;
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < kSlices; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xFF];
    }
  }
  return tables;
}();

std::uint32_t by_table(std::uint32_t remainder, const unsigned char* bytes, std::size_t count) noexcept {
  for (; count >= kSlices; bytes += kSlices, count -= kSlices) {
    const std::uint32_t low = remainder ^ (bytes[0] | bytes[1] << 8 | bytes[2] << 16 | std::uint32_t{bytes[3]} << 24);
    remainder = kTables[7][low & 0xFF] ^ kTables[6][low >> 8 & 0xFF] ^ kTables[5][low >> 16 & 0xFF] ^
                kTables[4][low >> 24] ^ kTables[3][bytes[4]] ^ kTables[2][bytes[5]] ^ kTables[1][bytes[6]] ^
                kTables[0][bytes[7]];
  }
  for (; count; ++bytes, --count) remainder = remainder >> 8 ^ kTables[0][(remainder ^ *bytes) & 0xFF];
  return remainder;
}

#ifdef CORPUSPREP_CARRYLESS

// 128 bits of remainder moved on by as many bits as the factors say: x^(d + 32) and x^(d - 32) modulo the polynomial
// (Gopal et al. 2009, "Fast CRC computation for generic polynomials using PCLMULQDQ").
__attribute__((target("pclmul,sse4.1"))) inline __m128i folded(__m128i value, __m128i factors, __m128i next) noexcept {
  const __m128i low = _mm_clmulepi64_si128(value, factors, 0x00);
  const __m128i high = _mm_clmulepi64_si128(value, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("pclmul,sse4.1"))) std::uint32_t by_folding(const unsigned char* bytes,
                                                                  std::size_t count) noexcept {
  const auto* blocks = reinterpret_cast<const __m128i*>(bytes);
  const __m128i by_512 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i by_128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  __m128i lanes[4];
  for (int k = 0; k < 4; ++k) lanes[k] = _mm_loadu_si128(blocks + k);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(-1));
  std::size_t block = 4;
  for (; (block + 4) * 16 <= count; block += 4) {
    for (std::size_t k = 0; k < 4; ++k) lanes[k] = folded(lanes[k], by_512, _mm_loadu_si128(blocks + block + k));
  }
  __m128i value = lanes[0];
  for (int k = 1; k < 4; ++k) value = folded(value, by_128, lanes[k]);
  for (; (block + 1) * 16 <= count; ++block) value = folded(value, by_128, _mm_loadu_si128(blocks + block));
  unsigned char rest[16];
  std::memcpy(rest, &value, sizeof rest);
  return by_table(by_table(0, rest, sizeof rest), bytes + block * 16, count - block * 16);
}

const bool kFolds = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");

#endif

}  // namespace

std::uint32_t crc32(std::string_view data) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
#ifdef CORPUSPREP_CARRYLESS
  if (kFolds && data.size() >= 64) return ~by_folding(bytes, data.size());
#endif
  return ~by_table(0xFFFFFFFF, bytes, data.size());
}

}  // namespace corpusprep
