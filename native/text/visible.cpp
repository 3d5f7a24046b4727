#include "text/visible.hpp"

namespace corpusprep {

namespace {

constexpr char32_t kNonJoiner = 0x200C, kJoiner = 0x200D;

// Format characters that are seen: signs that stand under or around numbers and verses (Unicode's
// Prepended_Concatenation_Mark), and those that arrange hieroglyphs.
constexpr bool visible_format(char32_t c) noexcept {
  return in_range(c, 0x0600, 0x0605) || c == 0x06DD || c == 0x070F || in_range(c, 0x0890, 0x0891) || c == 0x08E2 ||
         c == 0x110BD || c == 0x110CD || in_range(c, 0x13430, 0x1345F);
}

constexpr bool variation_selector(char32_t c) noexcept {
  return in_range(c, 0xFE00, 0xFE0F) || in_range(c, 0xE0100, 0xE01EF) || in_range(c, 0x180B, 0x180D) || c == 0x180F;
}

// Characters of Unicode's Default_Ignorable_Code_Point that are no format characters, a blank Braille pattern, and
// non-characters. The fillers of Hangul syllables (U+115F, U+1160) are left out: they are parts of syllables.
constexpr bool invisible_otherwise(char32_t c) noexcept {
  return c == 0x034F || c == 0x17B4 || c == 0x17B5 || c == 0x2065 || c == 0x2800 || c == 0x3164 || c == 0xFFA0 ||
         in_range(c, 0xFDD0, 0xFDEF) || in_range(c, 0xFFF0, 0xFFF8) || (c & 0xFFFE) == 0xFFFE ||
         in_range(c, 0xE0000, 0xE0FFF);
}

bool joins(char32_t c, UnicodeClass kind) noexcept {
  if (kind != UnicodeClass::letter && kind != UnicodeClass::mark) return false;
  return in_range(c, 0x0600, 0x109F) || in_range(c, 0x1780, 0x18AF) || in_range(c, 0x1900, 0x1C7F) ||
         in_range(c, 0x1CD0, 0x1CFF) || in_range(c, 0xA800, 0xAAFF) || in_range(c, 0xABC0, 0xABFF) ||
         in_range(c, 0xFB50, 0xFDFF) || in_range(c, 0xFE70, 0xFEFC) || in_range(c, 0x10A00, 0x10AFF) ||
         in_range(c, 0x10D00, 0x10FFF) || in_range(c, 0x11000, 0x11FFF) || in_range(c, 0x1E900, 0x1E95F);
}

}  // namespace

VisibleText::Decision VisibleText::next(char32_t c) noexcept {
  if (c == kNonJoiner || c == kJoiner) {
    drop_joiner();
    if (c == kJoiner && before_ == Before::joining) return {true, 0};
    if (before_ == (c == kJoiner ? Before::symbol : Before::joining)) {
      joiner_ = c;
    } else {
      ++left_out_;
    }
    return {false, 0};
  }
  const bool follows = joiner_ == 0 && before_ != Before::nothing;
  if ((follows && variation_selector(c)) ||
      (joiner_ == 0 && before_ == Before::symbol && in_range(c, 0xE0020, 0xE007F)))
    return {true, 0};
  const auto kind = unicode_class(c);
  if (kind == UnicodeClass::control || (kind == UnicodeClass::format && !visible_format(c)) || variation_selector(c) ||
      invisible_otherwise(c)) {
    ++left_out_;
    return {false, 0};
  }
  const bool joining = joins(c, kind), symbol = kind == UnicodeClass::symbol && c >= 0x80;
  Decision decision{true, 0};
  if (joiner_ == (joining ? kNonJoiner : kJoiner) && (joining || symbol)) {
    decision.joiner = joiner_;
    joiner_ = 0;
  }
  drop_joiner();
  before_ = joining ? Before::joining : symbol ? Before::symbol : Before::other;
  return decision;
}

std::u32string visible(std::u32string_view text) {
  VisibleText filter;
  std::u32string result;
  result.reserve(text.size());
  for (const char32_t c : text) {
    if (unicode_class(c) == UnicodeClass::space) {
      filter.space();
      result += c;
      continue;
    }
    const auto [keep, joiner] = filter.next(c);
    if (joiner != 0) result += joiner;
    if (keep) result += c;
  }
  return result;
}

}  // namespace corpusprep
