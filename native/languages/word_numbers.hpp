// The words of several languages, numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/key_table.hpp"

namespace corpusprep {

// Words numbered from 0, in the order in which they first come. A word is known by its key of 64 bits. Immutable.
class WordNumbers {
 public:
  // lists[i]: the words of a language, in UTF-8, with a line feed between them. Throws std::length_error at 2^28 bytes.
  explicit WordNumbers(std::span<const std::string_view> lists);

  // The numbers of a list's words, in its order.
  std::span<const std::uint32_t> numbers(std::size_t list) const noexcept { return numbers_[list]; }
  std::size_t size() const noexcept { return count_; }

  // The key of a word, by its code points.
  static std::uint64_t key_of(std::span<const char32_t> word) noexcept;
  // The number of the word with that key; kNone if it is in no list.
  std::uint32_t find(std::uint64_t key) const noexcept { return table_.find(key); }
  static constexpr std::uint32_t kNone = KeyTable<std::uint64_t>::kNone;
  // A word of more characters gets a number, but is never found.
  static constexpr std::size_t kLongest = 256;

 private:
  KeyTable<std::uint64_t> table_;
  std::vector<std::vector<std::uint32_t>> numbers_;
  std::uint32_t count_ = 0;
};

}  // namespace corpusprep
