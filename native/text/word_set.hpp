// A set of word forms, as for stop words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/hash.hpp"

namespace corpusprep {

// For most words, their length and first byte tell that they are not in a set, without a hash.
class WordLengths {
 public:
  // The word is not empty.
  void add(std::string_view word) noexcept { lengths_[first_byte(word)] |= length_bit(word.size()); }
  // Whether a word may be one of those that were added; it is not empty.
  bool may_have(std::string_view word) const noexcept {
    return (lengths_[first_byte(word)] & length_bit(word.size())) != 0;
  }

 private:
  static std::size_t first_byte(std::string_view word) noexcept { return static_cast<unsigned char>(word.front()); }
  // Lengths of 63 bytes and more share a bit.
  static std::uint64_t length_bit(std::size_t bytes) noexcept {
    return std::uint64_t{1} << std::min<std::size_t>(bytes, 63);
  }

  std::array<std::uint64_t, 256> lengths_{};  // by first byte: one bit per length
};

// Forms are matched byte for byte. Immutable; shared between threads without locks. A set apart from KeyTable, which
// would need twice the memory: one lookup per token should find it in the first-level cache.
class WordSet {
 public:
  explicit WordSet(const std::vector<std::string>& forms);

  bool contains(std::string_view word) const noexcept {
    return !word.empty() && lengths_.may_have(word) && contains(word, word_key(word));
  }
  // The same for a word whose word_key is known.
  bool contains(std::string_view word, std::uint64_t key) const noexcept {
    for (std::size_t i = key & (slots_.size() - 1); slots_[i].form != kNone; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].tag == key >> 32 && form(slots_[i].form) == word) return true;
    }
    return false;
  }
  // Returns the size in bytes of the longest form at the beginning of `text`; 0 if there is none.
  std::size_t longest_prefix(std::string_view text) const noexcept;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  // The slots of a language's stop words take half of the first-level cache.
  struct Slot {
    std::uint32_t tag = 0;       // the high bits of the key
    std::uint32_t form = kNone;  // its number; kNone if the slot is free
  };
  std::string_view form(std::uint32_t number) const noexcept {
    return std::string_view(bytes_).substr(starts_[number], starts_[number + 1] - starts_[number]);
  }

  std::string bytes_;                  // of all forms
  std::vector<std::uint32_t> starts_;  // where each form starts, and where the last one ends
  std::vector<Slot> slots_;            // open addressing, a power of two, at most a quarter full
  WordLengths lengths_;                // of the forms
  std::size_t longest_ = 0;
};

}  // namespace corpusprep
