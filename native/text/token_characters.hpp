// Characters as the tokeniser distinguishes them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep::token_characters {

// The kinds of characters that the rules distinguish.
enum class Kind : std::uint8_t {
  space,
  letter,  // of a script with spaces
  number,
  solitary,  // a letter or ideographic number of a script without spaces
  extender,
  format,
  symbol,
  other,
};

constexpr bool is_extender(char32_t c) noexcept {
  return in_range(c, 0x055B, 0x055C) || c == 0x055E || c == 0x05F3 || in_range(c, 0x200C, 0x200D) ||
         in_range(c, 0x1F3FB, 0x1F3FF) || in_range(c, 0xE0020, 0xE007F);
}

inline Kind kind_of(char32_t c) noexcept {
  switch (unicode_class(c)) {
    case UnicodeClass::letter:
      return script_without_spaces(c) ? Kind::solitary : Kind::letter;
    case UnicodeClass::number:
      return in_range(c, 0x3000, 0x303F) && script_without_spaces(c) ? Kind::solitary : Kind::number;
    case UnicodeClass::mark:
      return Kind::extender;
    case UnicodeClass::space:
      return Kind::space;
    case UnicodeClass::format:
      return is_extender(c) ? Kind::extender : Kind::format;
    case UnicodeClass::symbol:
      return is_extender(c) ? Kind::extender : Kind::symbol;
    default:
      return is_extender(c) ? Kind::extender : Kind::other;
  }
}

// Flags of ASCII characters, by byte, for the paths that most text takes.
enum Flag : std::uint8_t {
  kSpace = 1,
  kLetter = 2,
  kDigit = 4,
  kLink = 8,       // - ' _ `
  kRepeats = 16,   // a sequence of it is one token
  kUrl = 32,       // may occur in a URL
  kLocal = 64,     // may occur before the @ of an e-mail address, after its first character
  kUrlTail = 128,  // cannot be the last character of a URL
};

constexpr std::array<std::uint8_t, 256> ascii_flags() {
  std::array<std::uint8_t, 256> flags{};
  const auto set = [&](std::string_view characters, std::uint8_t flag) {
    for (const char c : characters) flags[static_cast<unsigned char>(c)] |= flag;
  };
  for (int c = 0x21; c < 0x7F; ++c) flags[c] |= kUrl;
  for (const char c : std::string_view("<>\"{}|\\^`")) flags[static_cast<unsigned char>(c)] = 0;
  set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", kLetter | kLocal);
  set("0123456789", kDigit | kLocal);
  set("._%+-", kLocal);
  set(" \t\n\v\f\r\x1C\x1D\x1E\x1F", kSpace);
  set("-'_`", kLink);
  set(".!?-_*=~#+,'`", kRepeats);
  set(".,;:!?'*([", kUrlTail);
  return flags;
}

inline constexpr std::array<std::uint8_t, 256> kAscii = ascii_flags();

// The parts of an emoticon.
constexpr bool is_eyes(unsigned char c) noexcept { return c == ':' || c == ';' || c == '='; }
constexpr bool is_nose(unsigned char c) noexcept { return c == '-' || c == '\'' || c == '^'; }
constexpr bool is_mouth(unsigned char c) noexcept {
  return c != 0 && std::string_view(")(][DPp/|").find(static_cast<char>(c)) != std::string_view::npos;
}

constexpr bool is_link(char32_t c) noexcept {
  if (c < 0x80) return (kAscii[c] & kLink) != 0;
  return c == 0x00B4 || c == 0x00B7 || c == 0x2010 || c == 0x2011 || c == 0x2018 || c == 0x2019 || c == 0x2027 ||
         c == 0x05F4;
}

constexpr bool is_hyphen(char32_t c) noexcept { return c == '-' || c == 0x2010 || c == 0x2011; }

constexpr bool is_link_of_numbers(char32_t c) noexcept { return c == '.' || c == ',' || c == ':' || c == '/'; }

constexpr bool is_apostrophe(char32_t c) noexcept {
  return c == U'\'' || c == U'`' || c == 0x00B4 || c == 0x2018 || c == 0x2019;
}

// Those that join letters alone: they stand for an apostrophe, but quote or measure in other places.
constexpr bool is_poor_apostrophe(char32_t c) noexcept { return is_apostrophe(c) && c != U'\'' && c != 0x2019; }

constexpr bool is_hangul(char32_t c) noexcept {
  return in_range(c, 0xAC00, 0xD7A3) || in_range(c, 0x1100, 0x11FF) || in_range(c, 0x3130, 0x318F);
}

constexpr bool is_hebrew(char32_t c) noexcept { return in_range(c, 0x05D0, 0x05EA); }

// Letters that are words before a Hebrew word, written with it: and, the, that, in, as, to, from.
constexpr bool is_hebrew_prefix(char32_t c) noexcept {
  return c == 0x05D5 || c == 0x05D4 || c == 0x05E9 || c == 0x05D1 || c == 0x05DB || c == 0x05DC || c == 0x05DE;
}

// Marks in the place of gershayim.
constexpr bool is_gershayim(char32_t c) noexcept { return c == U'"' || c == 0x201C || c == 0x201D; }

// Returns whether a letter has a capital form other than itself. Those of Georgian stand for whole words in capitals
// alone, and begin none.
inline bool is_small(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  if (in_range(c, 0x10D0, 0x10FF)) return false;
  const std::u32string_view letter(&c, 1);
  return upper(letter) != letter;
}

struct Character {
  char32_t code_point;
  std::uint32_t length;
  Kind kind;
};

}  // namespace corpusprep::token_characters
