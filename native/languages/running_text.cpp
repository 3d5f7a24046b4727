#include "languages/running_text.hpp"

#include <cstddef>

#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {
namespace {

constexpr std::u32string_view kCode = U"{}<>=;_#$|\\@~`^";
constexpr std::u32string_view kSeparators = U",;|\n\t\u2022\u00B7/";

constexpr bool is_one_of(std::u32string_view signs, char32_t c) noexcept {
  return signs.find(c) != std::u32string_view::npos;
}
constexpr bool opens(char32_t c) noexcept { return c == U'(' || c == U'['; }
constexpr bool closes(char32_t c) noexcept { return c == U')' || c == U']'; }
constexpr bool is_name(char32_t c) noexcept {
  return in_range(c, U'0', U'9') || in_range(c, U'A', U'Z') || in_range(c, U'a', U'z');
}

// Signs of code, from one character that is no white space to the next. A sign of two characters is counted at the
// second one, and neither is in another sign.
class CodeSigns {
 public:
  bool next(char32_t c) noexcept {
    const bool pair =
        (is_name(before_) && opens(c)) || (opens(before_) && closes(c)) || (closes(before_) && is_one_of(U";:,.)", c));
    const bool sign = pair || (c < 0x80 && is_one_of(kCode, c));
    before_ = sign ? 0 : c;
    return sign;
  }

 private:
  char32_t before_ = 0;  // 0: in a sign
};

}  // namespace

RunningText running_text(std::u32string_view text) noexcept {
  RunningText counts;
  CodeSigns signs;
  bool in_word = false;
  bool in_piece = false;  // whether the piece has a letter
  for (const char32_t c : text) {
    const auto kind = unicode_class(c);
    if (kind != UnicodeClass::space) {
      ++counts.characters;
      counts.code += signs.next(c);
    }
    const bool letter = kind == UnicodeClass::letter;
    counts.letters += letter;
    counts.marks += kind == UnicodeClass::mark;
    if (letter && !in_word) {
      ++counts.words;
      counts.capitals += lower(c) != c;
    }
    in_word = letter;
    counts.pieces += letter && !in_piece;
    in_piece = letter || (in_piece && !is_one_of(kSeparators, c));
  }
  return counts;
}

}  // namespace corpusprep
