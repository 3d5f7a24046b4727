#include "languages/word_numbers.hpp"

#include <array>
#include <stdexcept>

#include "common/hash.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

std::uint64_t WordNumbers::key_of(std::span<const char32_t> word) noexcept {
  const auto key = word_key({reinterpret_cast<const char*>(word.data()), word.size_bytes()});
  return key != 0 ? key : 1;
}

WordNumbers::WordNumbers(std::span<const std::string_view> lists) {
  std::size_t bytes = 0;
  for (const auto list : lists) bytes += list.size();
  if (bytes >= std::size_t{1} << 28) throw std::length_error("the lists of words have 256 MB or more");
  for (const auto list : lists) {
    auto& numbers = numbers_.emplace_back();
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
      if (length > kLongest) {
        numbers.push_back(count_++);
        continue;
      }
      const std::uint32_t number = table_.insert(key_of({word.data(), length}), count_);
      numbers.push_back(number);
      count_ += number == count_;
    }
  }
}

}  // namespace corpusprep
