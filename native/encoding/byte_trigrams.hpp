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

// The vectors of a language's encodings over trigrams of bytes. Immutable; shared between threads without locks.
class ByteTrigrams {
 public:
  // keys: three bytes each, the first highest; each once. weights: `encodings` a key, one key after another.
  ByteTrigrams(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> weights, std::size_t encodings);

  // Adds to sums[e] the weights in encoding e of the running trigrams that have a byte beyond ASCII, `most` of them
  // at most, from the beginning. ASCII other than letters is a space, and so is what is before and after the data.
  void add(std::string_view data, std::size_t most, std::uint64_t* sums) const noexcept;

  // Whether add() would add anything to sums[encoding].
  bool any(std::string_view data, std::size_t most, std::size_t encoding) const noexcept;

  std::size_t encodings() const noexcept { return encodings_; }

 private:
  // Bytes beyond ASCII: for each lower half, a bit an upper one.
  using Bytes = std::array<std::uint8_t, 16>;
  template <class Visit>
  void each_known(std::string_view data, std::size_t most, unsigned patterns, const Bytes* bytes,
                  Visit visit) const noexcept;
  template <std::size_t Encodings>
  void add_for(std::string_view data, std::size_t most, std::uint64_t* sums) const noexcept;

  std::size_t encodings_;
  KeyTable<std::uint32_t> rows_;        // of weights_, by trigram
  std::vector<std::uint32_t> weights_;  // encodings_ per row
  // Which of a trigram's bytes are beyond ASCII (4 the first, 2, 1): one bit a pattern that a known one has. Eight-bit
  // text has few two of them in a row, unlike text of two bytes a character.
  std::vector<std::uint8_t> patterns_;  // by encoding: of those with a weight
  std::uint8_t all_patterns_ = 0;
  std::vector<Bytes> bytes_;  // by encoding: those of its trigrams
  // One bit a value of the hash's upper half, 0: no trigram with it is known, as most of another language's are not.
  // 8 kB stay in the first cache; most languages have a few thousand trigrams, Chinese and Japanese so many that all
  // are looked up.
  std::array<std::uint64_t, (1 << 16) / 64> hints_{};
};

}  // namespace corpusprep
