// Keys of words and n-grams. A key depends on the words' bytes alone: not on word ids, the machine or the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace corpusprep {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection on 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ULL;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBULL;
  x ^= x >> 31;
  return x;
}

// 64-bit hash of a word's bytes, read as little-endian 8-byte groups.
inline std::uint64_t word_key(std::string_view word) noexcept {
  std::uint64_t key = mix64(0x9E3779B97F4A7C15ULL + word.size());
  std::size_t i = 0;
  for (; i + 8 <= word.size(); i += 8) {
    std::uint64_t group = 0;
    for (std::size_t b = 0; b < 8; ++b) {
      group |= static_cast<std::uint64_t>(static_cast<unsigned char>(word[i + b])) << (8 * b);
    }
    key = mix64(key ^ group) * 0x9E3779B97F4A7C15ULL;
  }
  std::uint64_t rest = 0;
  for (std::size_t b = 0; i + b < word.size(); ++b) {
    rest |= static_cast<std::uint64_t>(static_cast<unsigned char>(word[i + b])) << (8 * b);
  }
  return mix64(key ^ rest);
}

// The key of an n-gram from the keys of its words, in order.
inline std::uint64_t ngram_key(const std::uint64_t* word_keys, std::size_t n) noexcept {
  std::uint64_t key = 0x2545F4914F6CDD1DULL;
  for (std::size_t i = 0; i < n; ++i) key = mix64((key + word_keys[i]) * 0x9E3779B97F4A7C15ULL);
  return key;
}

}  // namespace corpusprep
