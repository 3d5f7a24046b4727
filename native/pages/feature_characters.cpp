#include "pages/feature_characters.hpp"

#include <algorithm>

#include "text/unicode.hpp"

namespace corpusprep {

namespace {

CharacterMark mark_beyond_ascii(char32_t c) noexcept {
  const auto kind = unicode_class(c);
  if (kind == UnicodeClass::letter || kind == UnicodeClass::mark) return small_letter(c) != c ? kCapital : kSmall;
  if (kind == UnicodeClass::number) return kDigit;
  switch (c) {
    case 0x3001:  // ideographic comma
    case 0xFF0C:
    case 0xFF1B:
    case 0x060C:  // Arabic comma
    case 0x061B:
      return kComma;
    case 0xFF1A:
      return kColon;
    case 0x2026:
      return kEllipsis;
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xBB:
    case 0x300D:
    case 0xFF09:
      return kClosing;
    case 0xFF1F:
    case 0x061F:
      return kQuestion;
    case 0x3002:
    case 0xFF0E:
    case 0xFF01:
    case 0x0964:  // danda
    case 0x06D4:
    case 0x104B:
      return kStop;
    default:
      return kOther;
  }
}

}  // namespace

char32_t small_letter(char32_t c) noexcept {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c < 0x100) return in_range(c, 0xC0, 0xDE) && c != 0xD7 ? c + 32 : c;
  if (c < 0x180) {
    const bool even = in_range(c, 0x100, 0x137) || in_range(c, 0x14A, 0x177);
    const bool odd = in_range(c, 0x139, 0x148) || in_range(c, 0x179, 0x17E);
    return (even && c % 2 == 0) || (odd && c % 2 == 1) ? c + 1 : c;
  }
  if (in_range(c, 0x391, 0x3A9) || in_range(c, 0x410, 0x42F)) return c + 32;
  return in_range(c, 0x400, 0x40F) ? c + 80 : c;
}

FeatureCharacter find_feature_character(char32_t c) noexcept {
  return {static_cast<std::uint8_t>(small_letter(c) - c), mark_beyond_ascii(c), script_without_spaces(c)};
}

const std::array<std::uint8_t, kTabled>& feature_characters() noexcept {
  static const auto found = [] {
    std::array<std::uint8_t, kTabled> characters{};
    for (char32_t c = 0x80; c < kTabled; ++c) {
      const auto [to_small, mark, alone] = find_feature_character(c);
      const auto place = std::ranges::find(kToSmall, to_small) - kToSmall.begin();
      characters[c] = static_cast<std::uint8_t>(mark | (alone ? 16 : 0) | 32 * place);
    }
    return characters;
  }();
  return found;
}

}  // namespace corpusprep
