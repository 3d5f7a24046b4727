// The words of several languages, numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/key_table.hpp"

namespace corpusprep {

// Words numbered from 0 in the order of their first occurrence. Words are compared by a key of 64 bits. Immutable.
class WordNumbers {
 public:
  // lists[i]: the words of a language, in UTF-8, separated by line feeds. Throws std::length_error for 2^28 bytes and
  // more.
  explicit WordNumbers(std::span<const std::string_view> lists);
  // lists[i]: the keys of the words of a language, as keys_of returns them.
  explicit WordNumbers(std::span<const std::span<const std::uint64_t>> lists);

  // Returns the keys of words in UTF-8, separated by line feeds; 0 for those that are never found. Throws
  // std::length_error for 2^28 bytes and more.
  static std::vector<std::uint64_t> keys_of(std::string_view list);

  // Returns the numbers of the words of a list, in its order.
  std::span<const std::uint32_t> numbers(std::size_t list) const noexcept { return numbers_[list]; }
  std::size_t size() const noexcept { return count_; }

  // Returns the key of a word, given as code points.
  static std::uint64_t key_of(std::span<const char32_t> word) noexcept;
  // Returns the number of the word with that key; kNone if no list has it.
  std::uint32_t find(std::uint64_t key) const noexcept { return table_.find(key); }
  static constexpr std::uint32_t kNone = KeyTable<std::uint64_t>::kNone;
  // A longer word gets a number but is never found.
  static constexpr std::size_t kLongest = 256;

 private:
  void add(std::span<const std::uint64_t> keys);

  KeyTable<std::uint64_t> table_;
  std::vector<std::vector<std::uint32_t>> numbers_;
  std::uint32_t count_ = 0;
};

}  // namespace corpusprep
