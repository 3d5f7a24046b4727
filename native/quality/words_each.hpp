// The loop of WordSplitter over the pieces of a text.
#pragma once

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
inline bool has_small_letter(char32_t c) noexcept { return c == 0x130 || lower(c) != c; }

}  // namespace detail

template <class Word>
void WordSplitter::each(std::string_view text, std::vector<PlacedCharacter>& scratch, Word word) const {
  Ends ends;
  std::size_t place = 0;
  while (place < text.size()) {
    const std::size_t begin = place;
    bool letters = true;    // of ASCII
    std::size_t space = 0;  // bytes of the white space behind the piece
    while (place < text.size()) {
      const auto byte = static_cast<unsigned char>(text[place]);
      if (byte < 0x80) {
        if (detail::ascii_space(byte)) {
          space = 1;
          break;
        }
        letters &= detail::ascii_letter(byte);
        ++place;
        continue;
      }
      const auto character = decode_utf8(text, place);
      if (unicode_class(character.code_point) == UnicodeClass::space) {
        space = character.length;
        break;
      }
      letters = false;
      place += character.length;
    }
    if (place > begin) {
      const std::string_view piece = text.substr(begin, place - begin);
      const Ends* parts = exception(piece);
      if (parts == nullptr && !letters) {
        ends.clear();
        cut(piece, scratch, ends);
        parts = &ends;
      }
      if (parts == nullptr) {
        word(begin, place);
      } else {
        std::size_t start = begin;
        for (const std::uint32_t end : *parts) {
          word(start, begin + end);
          start = begin + end;
        }
      }
    }
    place += space;
  }
}

}  // namespace corpusprep
