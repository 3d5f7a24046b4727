#include "pages/texrex_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

namespace {

enum Case : std::uint8_t { kNone, kUpper, kLower };

// Planes with letters that have cases: 0 and 1.
constexpr char32_t kCased = 0x20000;

std::vector<std::uint8_t> make_cases() {
  std::vector<std::uint8_t> cases(kCased, kNone);
  for (char32_t c = 0; c < kCased; ++c) {
    if (unicode_class(c) != UnicodeClass::letter) continue;
    const std::u32string one(1, c);
    if (lower(one) != one) {
      cases[c] = kUpper;
    } else if (upper(one) != one) {
      cases[c] = kLower;
    }
  }
  return cases;
}

Case case_of(char32_t c) {
  static const auto cases = make_cases();
  return c < kCased ? static_cast<Case>(cases[c]) : kNone;
}

constexpr bool digit(char32_t c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool ends_sentence(char32_t c) noexcept { return c == '.' || c == '?' || c == '!'; }

// The characters of an address of a page other than letters and numbers, and those that it does not end with.
constexpr bool uri_sign(char32_t c) noexcept {
  return c < 0x80 && std::string_view("_/%$&,=?~#.+:;-").find(static_cast<char>(c)) != std::string_view::npos;
}
constexpr bool never_last(char32_t c) noexcept {
  return c == '&' || c == ',' || c == '.' || c == '+' || c == ':' || c == ';';
}

constexpr auto code(UnicodeClass kind) noexcept { return static_cast<std::uint8_t>(kind); }
constexpr auto kLetter = code(UnicodeClass::letter);
constexpr auto kNumber = code(UnicodeClass::number);

}  // namespace

TexrexTextCounts TexrexText::count(std::string_view utf8) {
  TexrexTextCounts counts;
  text_.clear();
  kinds_.clear();
  bool has_at = false, has_sign = false, has_tag = false;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto [c, length] = decode_utf8(utf8, i);
    i += length;
    const auto kind = unicode_class(c);
    text_.push_back(c);
    kinds_.push_back(code(kind));
    if (kind == UnicodeClass::letter) {
      const auto found = case_of(c);
      counts.upper += found == kUpper;
      counts.lower += found == kLower;
    } else {
      counts.numbers += kind == UnicodeClass::number;
      counts.punctuation += kind == UnicodeClass::punctuation;
      counts.spaces += kind == UnicodeClass::space;
      counts.copyright |= c == 0xA9;
      has_at |= c == '@';
      has_sign |= c == '#' || c == '/' || c == '.';
      has_tag |= c == '<';
      if (ends_sentence(c)) counts.sentences += i == utf8.size() || utf8[i] == ' ';
    }
  }
  counts.characters = static_cast<std::int64_t>(text_.size());
  counts.ends_sentence = !text_.empty() && ends_sentence(text_.back());
  if (counts.numbers > 3) count_years(counts);
  if (has_tag) count_tags(counts);
  if (has_at) count_emails(counts);
  if (has_sign) count_uris_and_hashtags(counts);
  return counts;
}

void TexrexText::count_years(TexrexTextCounts& counts) const {
  for (std::size_t i = 1; i + 4 <= text_.size(); ++i) {
    const bool year = !digit(text_[i - 1]) && text_[i] == '2' && text_[i + 1] == '0' &&
                      (text_[i + 2] == '0' || text_[i + 2] == '1') && digit(text_[i + 3]) &&
                      (i + 4 == text_.size() || !digit(text_[i + 4]));
    if (!year) continue;
    ++counts.years;
    i += 5;  // the characters on both sides belong to the match
  }
}

void TexrexText::count_tags(TexrexTextCounts& counts) const {
  auto at = text_.begin();
  while ((at = std::find(at, text_.end(), U'<')) != text_.end()) {
    if (++at == text_.end()) return;
    const char32_t c = *at;
    const bool tag = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '!' || c == '?' || c == '/';
    if (!tag) continue;
    const auto end = std::find(at, text_.end(), U'>');
    if (end == text_.end()) return;
    ++counts.tags;
    at = end + 1;
  }
}

void TexrexText::count_emails(TexrexTextCounts& counts) const {
  const auto part = [this](std::size_t i) {
    return kinds_[i] == kLetter || digit(text_[i]) || text_[i] == '.' || text_[i] == '_' || text_[i] == '-';
  };
  std::size_t free = 0;  // characters before it belong to a match
  for (std::size_t at = 1; at < text_.size(); ++at) {
    if (text_[at] != '@' || at == free || !part(at - 1)) continue;
    std::size_t end = at + 1;
    std::size_t stop = 0;  // the last full stop with two letters behind it, and a character between it and the @
    while (end < text_.size() && part(end)) {
      const bool letters = end + 2 < text_.size() && kinds_[end + 1] == kLetter && kinds_[end + 2] == kLetter;
      if (text_[end] == '.' && end > at + 1 && letters) stop = end;
      ++end;
    }
    if (stop != 0) {
      ++counts.emails;
      free = stop + 1;
      while (free < end && free <= stop + 8 && kinds_[free] == kLetter) ++free;
    }
    at = end - 1;
  }
}

// Returns where the address whose first character behind :// or www. is at `from` ends; `from` if it is none.
std::size_t TexrexText::uri_end(std::size_t from) const {
  std::size_t last = from;
  for (std::size_t i = from; i < text_.size(); ++i) {
    const bool word = kinds_[i] == kLetter || kinds_[i] == kNumber;
    if (!word && !uri_sign(text_[i])) break;
    if (i > from && (word || !never_last(text_[i]))) last = i + 1;
  }
  return last;
}

void TexrexText::count_uris_and_hashtags(TexrexTextCounts& counts) const {
  const auto is = [this](std::size_t i, char32_t lower_case) {
    return i < text_.size() && (text_[i] == lower_case || text_[i] + 0x20 == lower_case);
  };
  std::size_t letters = 0;  // before the current character
  for (std::size_t i = 0; i < text_.size();) {
    std::size_t end = 0;
    if (text_[i] == ':' && letters >= 2 && i + 2 < text_.size() && text_[i + 1] == '/' && text_[i + 2] == '/') {
      end = uri_end(i + 3);
      if (end == i + 3) end = 0;
    } else if (is(i, 'w') && is(i + 1, 'w') && is(i + 2, 'w') && i + 3 < text_.size() && text_[i + 3] == '.') {
      end = uri_end(i + 4);
      if (end == i + 4) end = 0;
    } else if (text_[i] == '#') {
      bool letter = false;
      std::size_t next = i + 1;
      while (next < text_.size() && (kinds_[next] == kLetter || kinds_[next] == kNumber)) {
        letter |= kinds_[next++] == kLetter;
      }
      counts.hashtags += letter;
      i = next;
      letters = 0;
      continue;
    }
    if (end != 0) {
      ++counts.uris;
      i = end;
      letters = 0;
    } else {
      letters = kinds_[i] == kLetter ? letters + 1 : 0;
      ++i;
    }
  }
}

}  // namespace corpusprep
