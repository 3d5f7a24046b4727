// The loop of WordSplitter over the pieces of a text.
#pragma once

#include <array>

#include "quality/words.hpp"
#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

namespace detail {

constexpr bool ascii_letter(unsigned char c) noexcept { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }
constexpr bool ascii_space(unsigned char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
}

// Returns whether a character has a small letter, which is another one; that of the capital I with a dot is two.
inline bool has_small_letter(char32_t c) noexcept {
  static const auto table = [] {
    std::array<bool, 0x600> flags{};  // Latin, Greek, Cyrillic, Armenian
    for (char32_t i = 0; i < flags.size(); ++i) flags[i] = i == 0x130 || lower(i) != i;
    return flags;
  }();
  return c < table.size() ? table[c] : lower(c) != c;
}

}  // namespace detail

template <class Word>
void WordSplitter::each(std::string_view text, std::vector<PlacedCharacter>& scratch, Word word) const {
  Ends ends;
  std::size_t place = 0;
  while (place < text.size()) {
    const std::size_t begin = place;
    bool letters = true;       // so far
    std::size_t last = place;  // the end of the letters that it begins with
    std::size_t space = 0;     // bytes of the white space behind the piece
    while (place < text.size()) {
      const auto byte = static_cast<unsigned char>(text[place]);
      std::size_t length = 1;
      if (byte < 0x80) {
        if (detail::ascii_space(byte)) {
          space = 1;
          break;
        }
        letters &= detail::ascii_letter(byte);
      } else {
        const auto character = decode_utf8(text, place);
        const UnicodeClass kind = unicode_class(character.code_point);
        length = character.length;
        if (kind == UnicodeClass::space) {
          space = length;
          break;
        }
        letters &= kind == UnicodeClass::letter;
      }
      place += length;
      if (letters) last = place;
    }
    if (place > begin) {
      const std::string_view piece = text.substr(begin, place - begin);
      const Ends* parts = exception(piece);
      if (parts != nullptr || letters) {
        give(begin, place, parts, word);
      } else if (place - last == 1 && last > begin && comes_off(text[last], text[last - 1])) {
        give(begin, last, exception(piece.substr(0, last - begin)), word);
        word(last, place);
      } else {
        ends.clear();
        cut(piece, scratch, ends);
        give(begin, place, &ends, word);
      }
    }
    place += space;
  }
}

}  // namespace corpusprep
