// UTF-8 decoding and character classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/unicode_tables.hpp"

namespace corpusprep {

// General categories, reduced to what tokenisation needs. `space` is each White_Space character; `format` is category
// Cf (soft hyphen, joiners, directional marks); `control` is the rest of category C.
enum class UnicodeClass : std::uint8_t {
  unassigned = 0,
  letter = 1,
  mark = 2,
  number = 3,
  punctuation = 4,
  symbol = 5,
  space = 6,
  control = 7,
  format = 8,
};

inline UnicodeClass unicode_class(char32_t code_point) noexcept {
  if (code_point > 0x10FFFF) return UnicodeClass::unassigned;
  const auto row = tables::kRowIndex[code_point >> 8];
  return static_cast<UnicodeClass>(tables::kRows[row][code_point & 0xFF]);
}

constexpr bool in_range(char32_t c, char32_t first, char32_t last) noexcept { return c - first <= last - first; }

// Returns whether words of the character's script are written without spaces.
constexpr bool script_without_spaces(char32_t c) noexcept {
  if (c < 0x0E00) return false;
  return in_range(c, 0x0E00, 0x0EFF) ||                                 // Thai, Lao
         in_range(c, 0x1000, 0x109F) ||                                 // Myanmar
         in_range(c, 0x1780, 0x17FF) ||                                 // Khmer
         in_range(c, 0x3005, 0x3029) || in_range(c, 0x3038, 0x303C) ||  // ideographic iteration marks and numbers
         in_range(c, 0x3040, 0x312F) ||                                 // Hiragana, Katakana, Bopomofo
         in_range(c, 0x31A0, 0x31BF) || in_range(c, 0x31F0, 0x31FF) ||  // their extensions
         in_range(c, 0x3400, 0x4DBF) || in_range(c, 0x4E00, 0x9FFF) ||  // Han
         in_range(c, 0xA9E0, 0xA9FF) || in_range(c, 0xAA60, 0xAA7F) ||  // Myanmar extended
         in_range(c, 0xF900, 0xFAFF) || in_range(c, 0xFF66, 0xFF9F) ||  // Han compatibility, half-width Katakana
         in_range(c, 0x1AFF0, 0x1B16F) || in_range(c, 0x20000, 0x3FFFF);
}

inline constexpr char32_t kZeroWidthSpace = 0x200B;

// Returns whether words of the character's script end without a space, but often with a zero-width space: Thai, Lao,
// Myanmar, Khmer.
constexpr bool ends_words_unseen(char32_t c) noexcept {
  return in_range(c, 0x0E00, 0x0EFF) || in_range(c, 0x1000, 0x109F) || in_range(c, 0x1780, 0x17FF) ||
         in_range(c, 0xA9E0, 0xA9FF) || in_range(c, 0xAA60, 0xAA7F);
}

struct DecodedCharacter {
  char32_t code_point;   // 0xFFFD where the bytes are not UTF-8
  std::uint32_t length;  // bytes used, at least 1
};

// Returns the character at `position` (< text.size()). Never reads past the end. Malformed bytes, overlong forms and
// surrogates give U+FFFD and a length of 1.
inline DecodedCharacter decode_utf8(std::string_view text, std::size_t position) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(position);
  if (first < 0x80) return {first, 1};
  const std::size_t left = text.size() - position;
  const auto continues = [&](std::size_t i) { return (byte(position + i) & 0xC0) == 0x80; };
  if (first >= 0xC2 && first <= 0xDF && left >= 2 && continues(1)) {
    return {static_cast<char32_t>(((first & 0x1F) << 6) | (byte(position + 1) & 0x3F)), 2};
  }
  if (first >= 0xE0 && first <= 0xEF && left >= 3 && continues(1) && continues(2)) {
    const auto value = static_cast<char32_t>(((first & 0x0F) << 12) | ((byte(position + 1) & 0x3F) << 6) |
                                             (byte(position + 2) & 0x3F));
    if (value >= 0x800 && (value < 0xD800 || value > 0xDFFF)) return {value, 3};
  }
  if (first >= 0xF0 && first <= 0xF4 && left >= 4 && continues(1) && continues(2) && continues(3)) {
    const auto value = static_cast<char32_t>(((first & 0x07) << 18) | ((byte(position + 1) & 0x3F) << 12) |
                                             ((byte(position + 2) & 0x3F) << 6) | (byte(position + 3) & 0x3F));
    if (value >= 0x10000 && value <= 0x10FFFF) return {value, 4};
  }
  return {0xFFFD, 1};
}

// Appends a code point in UTF-8.
inline void append_utf8(char32_t c, std::string& out) {
  const auto byte = [&](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | (c >> 6));
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

// Returns whether a text (UTF-8) has a character of a script whose words are written without spaces.
inline bool has_script_without_spaces(std::string_view text) noexcept {
  constexpr unsigned char kFirst = 0xE0;  // the first byte of U+0800; Thai begins at U+0E00
  for (std::size_t place = 0; place < text.size();) {
    if (static_cast<unsigned char>(text[place]) < kFirst) {
      ++place;
      continue;
    }
    const auto character = decode_utf8(text, place);
    if (script_without_spaces(character.code_point)) return true;
    place += character.length;
  }
  return false;
}

}  // namespace corpusprep
