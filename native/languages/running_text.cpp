#include "languages/running_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {
namespace {

constexpr std::u32string_view kCode = U"{}<>=;_#$|\\@~`^";
constexpr std::u32string_view kSeparators = U",;|\n\t\u2022\u00B7/";

// What a character is. A pair of characters is a sign of code, too: a name or digit and what opens, what opens and what
// closes, what closes and what may follow.
enum Sign : std::uint16_t {
  kLetter = 1,
  kSpace = 2,
  kMark = 4,
  kCapital = 8,
  kSeparator = 16,
  kCodeSign = 32,
  kName = 64,
  kOpens = 128,
  kCloses = 256,
  kFollows = 512
};
constexpr std::uint32_t kMayBeCode = kCodeSign | kOpens | kCloses | kFollows;

constexpr bool is_one_of(std::u32string_view signs, char32_t c) noexcept {
  return signs.find(c) != std::u32string_view::npos;
}

// Returns what a character is, without kCapital.
std::uint16_t signs_of(char32_t c) noexcept {
  std::uint32_t signs = 0;
  const auto kind = unicode_class(c);
  if (kind == UnicodeClass::letter) signs |= kLetter;
  if (kind == UnicodeClass::space) signs |= kSpace;
  if (kind == UnicodeClass::mark) signs |= kMark;
  if (is_one_of(kSeparators, c)) signs |= kSeparator;
  if (c < 0x80) {
    if (is_one_of(kCode, c)) signs |= kCodeSign;
    if (in_range(c, U'0', U'9') || in_range(c, U'A', U'Z') || in_range(c, U'a', U'z')) signs |= kName;
    if (c == U'(' || c == U'[') signs |= kOpens;
    if (c == U')' || c == U']') signs |= kCloses;
    if (is_one_of(U";:,.)", c)) signs |= kFollows;
  }
  return static_cast<std::uint16_t>(signs);
}

// Signs of the characters up to Arabic, the last ones that many texts are written in letter by letter.
using Table = std::array<std::uint16_t, 0x800>;

const Table& table() noexcept {
  static const Table made = [] {
    Table signs;
    for (char32_t c = 0; c < signs.size(); ++c) {
      signs[c] = signs_of(c);
      if ((signs[c] & kLetter) && lower(c) != c) signs[c] |= kCapital;
    }
    return signs;
  }();
  return made;
}

}  // namespace

template <class Unit>
RunningText running_text(std::span<const Unit> text) noexcept {
  const Table& known = table();
  RunningText counts;
  // Kept in registers, unlike members of `counts`.
  std::uint32_t spaces = 0, letters = 0, marks = 0, code = 0, words = 0, capitals = 0, pieces = 0;
  std::uint32_t in_word = 0, in_piece = 0;  // whether the piece has a letter
  std::uint32_t before = 0;  // signs of the character before that is no white space; 0: in a sign of code
  for (const Unit unit : text) {
    const char32_t c = unit;
    std::uint32_t signs;
    if (c < known.size()) {
      signs = known[c];
    } else {
      signs = signs_of(c);
      if ((signs & kLetter) && !in_word && lower(c) != c) signs |= kCapital;
    }
    const std::uint32_t letter = signs & kLetter, space = (signs & kSpace) / kSpace;
    spaces += space;
    letters += letter;
    marks += (signs & kMark) / kMark;
    const std::uint32_t first = letter & ~in_word;
    words += first;
    capitals += first & (signs / kCapital);
    in_word = letter;
    pieces += letter & ~in_piece;
    in_piece = letter | (in_piece & ~(signs / kSeparator));
    if (signs & kMayBeCode) {
      const bool sign = (signs & kCodeSign) || ((before & kName) && (signs & kOpens)) ||
                        ((before & kOpens) && (signs & kCloses)) || ((before & kCloses) && (signs & kFollows));
      code += sign;
      before = sign ? 0 : signs;
    } else {
      before = space ? before : signs;
    }
  }
  counts.characters = static_cast<std::uint32_t>(text.size()) - spaces;
  counts.letters = letters;
  counts.marks = marks;
  counts.code = code;
  counts.words = words;
  counts.capitals = capitals;
  counts.pieces = pieces;
  return counts;
}

template RunningText running_text(std::span<const std::uint8_t>) noexcept;
template RunningText running_text(std::span<const std::uint16_t>) noexcept;
template RunningText running_text(std::span<const std::uint32_t>) noexcept;

}  // namespace corpusprep
