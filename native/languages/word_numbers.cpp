#include "languages/word_numbers.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "common/hash.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

std::uint64_t WordNumbers::key_of(std::span<const char32_t> word) noexcept {
  const auto key = word_key({reinterpret_cast<const char*>(word.data()), word.size_bytes()});
  return key != 0 ? key : 1;
}

std::vector<std::uint64_t> WordNumbers::keys_of(std::string_view list) {
  if (list.size() >= std::size_t{1} << 28) throw std::length_error("the lists of words have 256 MB or more");
  std::vector<std::uint64_t> keys;
  std::array<char32_t, kLongest> word;
  for (std::size_t place = 0; place < list.size();) {
    std::size_t length = 0;
    while (place < list.size() && list[place] != '\n') {
      const auto character = decode_utf8(list, place);
      if (length < kLongest) word[length] = character.code_point;
      ++length;
      place += character.length;
    }
    ++place;
    keys.push_back(length > kLongest ? 0 : key_of({word.data(), length}));
  }
  return keys;
}

WordNumbers::WordNumbers(std::span<const std::string_view> lists) {
  std::size_t bytes = 0;
  for (const auto list : lists) bytes += list.size();
  if (bytes >= std::size_t{1} << 28) throw std::length_error("the lists of words have 256 MB or more");
  std::size_t most = 0;
  for (const auto list : lists) most = std::max(most, static_cast<std::size_t>(std::ranges::count(list, '\n')) + 1);
  // Close languages share many words: room for two lists is enough for several, and never far too much.
  table_.reserve(2 * most);
  for (const auto list : lists) add(keys_of(list));
}

WordNumbers::WordNumbers(std::span<const std::span<const std::uint64_t>> lists) {
  std::size_t words = 0, most = 0;
  for (const auto list : lists) {
    words += list.size();
    most = std::max(most, list.size());
  }
  table_.reserve(std::max(2 * most, words / 2));
  for (const auto list : lists) add(list);
}

void WordNumbers::add(std::span<const std::uint64_t> keys) {
  auto& numbers = numbers_.emplace_back();
  numbers.reserve(keys.size());
  for (const auto key : keys) {
    if (key == 0) {
      numbers.push_back(count_++);
      continue;
    }
    const std::uint32_t number = table_.insert(key, count_);
    numbers.push_back(number);
    count_ += number == count_;
  }
}

}  // namespace corpusprep
