// Keys of words and n-grams. A key depends only on the bytes of the words: not on word ids, machine or run.
#pragma once

#include <bit>
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

namespace detail {

template <class Unsigned>
inline std::uint64_t load_little_endian(const char* bytes) noexcept {
  Unsigned value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::endian::native == std::endian::big) {
    Unsigned swapped = 0;
    for (std::size_t i = 0; i < sizeof value; ++i, value >>= 8) swapped = (swapped << 8) | (value & 0xFF);
    value = swapped;
  }
  return value;
}

// Reads `size` (0 to 7) bytes as a little-endian number, with one or two loads.
inline std::uint64_t load_few(const char* bytes, std::size_t size) noexcept {
  if (size >= 4) {
    return load_little_endian<std::uint32_t>(bytes) | load_little_endian<std::uint32_t>(bytes + size - 4)
                                                          << (8 * (size - 4));
  }
  if (size == 0) return 0;
  const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i); };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

}  // namespace detail

constexpr std::uint64_t kWordKeySeed = 0x9E3779B97F4A7C15ULL;

// Returns the 64-bit hash of a word's bytes, read as little-endian groups of 8 bytes.
inline std::uint64_t word_key(std::string_view word) noexcept {
  std::uint64_t key = mix64(kWordKeySeed + word.size());
  const char* bytes = word.data();
  std::size_t left = word.size();
  for (; left >= 8; bytes += 8, left -= 8) {
    key = mix64(key ^ detail::load_little_endian<std::uint64_t>(bytes)) * 0x9E3779B97F4A7C15ULL;
  }
  return mix64(key ^ detail::load_few(bytes, left));
}

// Returns a 64-bit hash of a text's bytes, for a table in memory: two short chains of multiplications at a time, where
// word_key has a long one.
inline std::uint64_t text_key(std::string_view text) noexcept {
  constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15ULL, kSecond = 0xBF58476D1CE4E5B9ULL;
  const char* bytes = text.data();
  std::size_t left = text.size();
  std::uint64_t first = text.size(), second = kSecond;
  const auto add = [&](std::uint64_t one, std::uint64_t other) {
    first = std::rotl((first ^ one) * kFirst, 29);
    second = std::rotl((second ^ other) * kSecond, 31);
  };
  const auto load = [](const char* at) { return detail::load_little_endian<std::uint64_t>(at); };
  for (; left > 16; bytes += 16, left -= 16) add(load(bytes), load(bytes + 8));
  if (left >= 8) {
    add(load(bytes), load(bytes + left - 8));
  } else {
    add(detail::load_few(bytes, left), left);
  }
  return mix64(first ^ second * kFirst);
}

// Returns the key of an n-gram from the keys of its words, in order.
inline std::uint64_t ngram_key(const std::uint64_t* word_keys, std::size_t n) noexcept {
  std::uint64_t key = 0x2545F4914F6CDD1DULL;
  for (std::size_t i = 0; i < n; ++i) key = mix64((key + word_keys[i]) * 0x9E3779B97F4A7C15ULL);
  return key;
}

// Returns a second hash of an n-gram: with it, two n-grams that have the same key by chance are told apart.
inline std::uint32_t ngram_check(const std::uint64_t* word_keys, std::size_t n) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = (sum + word_keys[i]) * 0xD1342543DE82EF95ULL;
  return static_cast<std::uint32_t>(sum >> 32);
}

// Calls store(place, key) for the n-grams that start at the first `ngrams` words. Four keys are computed together,
// which takes half the time: a single key waits for each of its multiplications.
template <class Store>
inline void ngram_keys(const std::uint64_t* word_keys, std::size_t ngrams, std::size_t n, Store store) {
  constexpr std::size_t kLanes = 4;
  std::size_t start = 0;
  for (; start + kLanes <= ngrams; start += kLanes) {
    std::uint64_t keys[kLanes];
    for (std::uint64_t& key : keys) key = 0x2545F4914F6CDD1DULL;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        keys[lane] = mix64((keys[lane] + word_keys[start + lane + i]) * 0x9E3779B97F4A7C15ULL);
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) store(start + lane, keys[lane]);
  }
  for (; start < ngrams; ++start) store(start, ngram_key(word_keys + start, n));
}

}  // namespace corpusprep
