#include "languages/word_numbers.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "common/hash.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

std::uint64_t WordNumbers::key_of(std::span<const char32_t> word) noexcept {
  const auto key = word_key({reinterpret_cast<const char*>(word.data()), word.size_bytes()});
  return key != 0 ? key : 1;
}

WordNumbers::WordNumbers(std::span<const std::string_view> lists) {
  std::size_t bytes = 0, kept = 0;
  for (const auto list : lists) bytes += list.size();
  if (bytes >= std::size_t{1} << 28) throw std::length_error("too many words");
  grow();
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
      const auto key = key_of({word.data(), length});
      auto slot = slot_of(key);
      if (slots_[slot].key == 0) {
        if (3 * ++kept > 2 * slots_.size()) {
          grow();
          slot = slot_of(key);
        }
        slots_[slot] = {key, count_++};
      }
      numbers.push_back(slots_[slot].number);
    }
  }
}

std::size_t WordNumbers::slot_of(std::uint64_t key) const noexcept {
  std::size_t slot = key & (slots_.size() - 1);
  while (slots_[slot].key != 0 && slots_[slot].key != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void WordNumbers::grow() {
  const auto before = std::exchange(slots_, std::vector<Slot>(std::max(2 * slots_.size(), std::size_t{1} << 10)));
  for (const auto& slot : before) {
    if (slot.key != 0) slots_[slot_of(slot.key)] = slot;
  }
}

}  // namespace corpusprep
