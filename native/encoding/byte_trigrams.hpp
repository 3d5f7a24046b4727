// Byte trigrams of encodings (PRESEMT, 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/key_table.hpp"

namespace corpusprep {

// The vectors of the encodings of a language over trigrams of bytes. Immutable; shared between threads without locks.
class ByteTrigrams {
 public:
  // keys: three bytes each, the first one highest; no key twice.
  // weights: for each key in turn, one weight per encoding.
  ByteTrigrams(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> weights, std::size_t encodings);

  // Adds the weights of running trigrams to sums[e], for each encoding e. Only the first `most` trigrams with a byte
  // beyond ASCII count. ASCII other than letters is a space; there are spaces before and after the data.
  void add(std::string_view text, std::size_t most, std::uint64_t* sums) const noexcept;

  // Returns whether add() would add anything to sums[encoding].
  bool any(std::string_view text, std::size_t most, std::size_t encoding) const noexcept;

  std::size_t encodings() const noexcept { return encodings_; }

 private:
  // A set of bytes beyond ASCII: for each lower half of a byte, one bit per upper half.
  using Bytes = std::array<std::uint8_t, 16>;
  template <class Visit>
  void each_known(std::string_view text, std::size_t most, unsigned patterns, const Bytes* bytes,
                  Visit visit) const noexcept;
  template <std::size_t Encodings>
  void add_for(std::string_view text, std::size_t most, std::uint64_t* sums) const noexcept;

  std::size_t encodings_;
  KeyTable<std::uint32_t> rows_;        // of weights_, by trigram
  std::vector<std::uint32_t> weights_;  // encodings_ per row
  // Which bytes of a trigram are beyond ASCII (4 the first, 2 the second, 1 the third): one bit per pattern of a known
  // trigram. In text of one byte per character, two such bytes in a row are rare.
  std::vector<std::uint8_t> patterns_;  // for each encoding, the patterns of trigrams with a weight
  std::uint8_t all_patterns_ = 0;
  std::vector<Bytes> bytes_;  // for each encoding, the bytes of its trigrams
  // One bit per value of the highest 16 bits of the hash; 0 if no known trigram has it. This settles most trigrams of
  // other languages. Its 8 kB stay in the first-level cache. Most languages have a few thousand trigrams; Chinese and
  // Japanese have so many that all are looked up.
  std::array<std::uint64_t, (1 << 16) / 64> hints_{};
};

}  // namespace corpusprep
