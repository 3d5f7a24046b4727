// UTF-8 decoding and character classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "corpusprep/unicode_tables.hpp"

namespace corpusprep {

// General categories, folded to what tokenisation asks about. `space` is every White_Space character;
// `format` is category Cf (soft hyphen, joiners, directional marks); `control` is the rest of C.
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
  const auto block = tables::kBlockIndex[code_point >> 8];
  return static_cast<UnicodeClass>(tables::kBlocks[block][code_point & 0xFF]);
}

struct DecodedCharacter {
  char32_t code_point;  // 0xFFFD where the bytes are not UTF-8
  std::uint32_t length;  // bytes used, at least 1
};

// The character at `position` (< text.size()). Never reads past the end; malformed bytes, overlong forms
// and surrogates give U+FFFD and a length of 1.
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
    const char32_t value = static_cast<char32_t>(((first & 0x0F) << 12) | ((byte(position + 1) & 0x3F) << 6) |
                                                 (byte(position + 2) & 0x3F));
    if (value >= 0x800 && (value < 0xD800 || value > 0xDFFF)) return {value, 3};
  }
  if (first >= 0xF0 && first <= 0xF4 && left >= 4 && continues(1) && continues(2) && continues(3)) {
    const char32_t value =
        static_cast<char32_t>(((first & 0x07) << 18) | ((byte(position + 1) & 0x3F) << 12) |
                              ((byte(position + 2) & 0x3F) << 6) | (byte(position + 3) & 0x3F));
    if (value >= 0x10000 && value <= 0x10FFFF) return {value, 4};
  }
  return {0xFFFD, 1};
}

}  // namespace corpusprep
