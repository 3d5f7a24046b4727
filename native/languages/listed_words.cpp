#include "languages/listed_words.hpp"

#include <algorithm>
#include <array>

#include "languages/trigrams.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

bool of_word(char32_t code_point) noexcept {
  if (code_point < 0x80) return (code_point | 0x20) - 'a' < 26;
  return (class_of(letter_of(code_point)) & letter_class::of_word) != 0;
}

// From Thai on, but for Latin, Greek and punctuation.
bool unspaced(char32_t code_point) noexcept {
  if (code_point < 0x0E00) return false;
  return code_point < 0x1E00 || (code_point - 0x2E80 < 0xFB00 - 0x2E80) || (code_point - 0x20000 < 0x323B0 - 0x20000);
}

}  // namespace

ListedWords::ListedWords(std::span<const std::string_view> lists) : lists_(lists.size()), words_(lists) {
  for (const auto list : lists) {
    std::size_t length = 0;
    for (const char byte : list) {
      length = byte == '\n' ? 0 : length + ((static_cast<unsigned char>(byte) & 0xC0) != 0x80);
      longest_ = std::max(longest_, length);
    }
  }
  longest_ = std::min(longest_, WordNumbers::kLongest);
  std::vector<std::vector<std::uint32_t>> having(words_.size());
  for (std::uint32_t list = 0; list < lists_; ++list) {
    for (const std::uint32_t number : words_.numbers(list)) {
      // A word that stands twice in a list counts once.
      if (having[number].empty() || having[number].back() != list) having[number].push_back(list);
    }
  }
  starts_.push_back(0);
  for (const auto& found : having) {
    with_.insert(with_.end(), found.begin(), found.end());
    starts_.push_back(static_cast<std::uint32_t>(with_.size()));
  }
}

std::vector<std::uint32_t> ListedWords::counts(std::string_view text) const {
  std::vector<std::uint32_t> found(lists_);
  add(text, found);
  return found;
}

bool ListedWords::add(std::string_view text, std::span<std::uint32_t> found) const {
  std::array<char32_t, WordNumbers::kLongest> word;
  std::size_t length = 0;
  bool without_spaces = false;
  const auto end_word = [&] {
    if (length != 0 && length <= longest_) {
      const std::uint32_t number = words_.find(WordNumbers::key_of({word.data(), length}));
      if (number != WordNumbers::kNone) {
        for (std::uint32_t i = starts_[number]; i < starts_[number + 1]; ++i) ++found[with_[i]];
      }
    }
    length = 0;
  };
  for (std::size_t place = 0; place < text.size();) {
    const auto character = decode_utf8(text, place);
    place += character.length;
    without_spaces |= unspaced(character.code_point);
    if (!of_word(character.code_point)) {
      end_word();
    } else {
      if (length < word.size()) word[length] = character.code_point;
      ++length;
    }
  }
  end_word();
  return without_spaces;
}

}  // namespace corpusprep
