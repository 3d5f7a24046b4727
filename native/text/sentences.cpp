#include "text/sentences.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/token_characters.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

using token_characters::is_eyes;
using token_characters::is_small;

enum class End : std::uint8_t { none, mark, emoticon, stopped };

constexpr std::array<std::string_view, 20> kClosing = {"\"", "'", ")", "]", "}", "`", "''", "``", "“",  "”",
                                                       "‘",  "’", "«", "»", "‹", "›", "」", "』", "）", "】"};
constexpr std::array<std::string_view, 4> kFinal = {"”", "»", ")", "''"};
constexpr std::array<std::string_view, 31> kOpening = {"\"", "'", "“", "”",  "„",  "‚",  "‘",  "’",  "«", "»", "‹",
                                                       "›",  "(", "[", "{",  "¿",  "¡",  "-",  "–",  "—", "•", "*",
                                                       "`",  "_", "|", "``", "''", ",,", "--", "「", "『"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& marks, std::string_view token) {
  return std::ranges::find(marks, token) != marks.end();
}

// Marks that end sentences of scripts without spaces.
constexpr bool ends_unspaced(char32_t c) noexcept {
  return c == U'。' || c == U'！' || c == U'？' || c == U'｡' || c == U'．';
}

constexpr bool is_mark(char32_t c) noexcept {
  return c == U'.' || c == U'!' || c == U'?' || c == U'\u037E' || c == U'…' || c == U'‥' || c == U'؟' || c == U'۔' ||
         c == U'।' || c == U'॥' || c == U'։' || c == U'።' || c == U'፧' || ends_unspaced(c);
}

constexpr bool asks_or_exclaims(char32_t c) noexcept {
  return c == U'!' || c == U'?' || c == U'؟' || c == U';' || c == U'\u037E';
}

std::size_t characters(std::string_view token) {
  return static_cast<std::size_t>(
      std::ranges::count_if(token, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

char32_t last_character(std::string_view token) {
  std::size_t place = token.size() - 1;
  while (place > 0 && (static_cast<unsigned char>(token[place]) & 0xC0) == 0x80) --place;
  return decode_utf8(token, place).code_point;
}

End end_of(std::string_view token) {
  const char last = token.back();
  if (last != '.' && last != '!' && last != '?' && static_cast<unsigned char>(last) < 0x80) {
    return token.size() > 1 && is_eyes(static_cast<unsigned char>(token.front())) ? End::emoticon : End::none;
  }
  for (std::size_t place = 0; place < token.size();) {
    const DecodedCharacter found = decode_utf8(token, place);
    if (!is_mark(found.code_point)) return last == '.' ? End::stopped : End::none;
    place += found.length;
  }
  return End::mark;
}

constexpr bool is_armenian(char32_t c) noexcept { return in_range(c, 0x0531, 0x0587); }

// The question mark of Greek, a semicolon behind a Greek letter; the full stop of Armenian, a colon behind its letters.
bool ends_by_letter(std::span<const SentenceToken> tokens, std::size_t place) {
  const std::string_view mark = tokens[place].text;
  if ((mark != ";" && mark != ":") || place == 0 || !tokens[place].glued) return false;
  const char32_t letter = last_character(tokens[place - 1].text);
  if (mark == ":") return is_armenian(letter);
  return in_range(letter, 0x0370, 0x03FF) || in_range(letter, 0x1F00, 0x1FFF);
}

End end_at(std::span<const SentenceToken> tokens, std::size_t place) {
  const End end = end_of(tokens[place].text);
  return end == End::none && ends_by_letter(tokens, place) ? End::mark : end;
}

bool starts_small(std::string_view token) {
  const char32_t first = decode_utf8(token, 0).code_point;
  return unicode_class(first) == UnicodeClass::letter && is_small(first);
}

bool is_small_letter(std::string_view token) { return characters(token) == 1 && starts_small(token); }

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// From one to `most` digits.
bool is_number(std::string_view token, std::size_t most) {
  return !token.empty() && token.size() <= most && std::ranges::all_of(token, is_digit);
}

bool is_roman(std::string_view token) {
  return std::ranges::all_of(token, [](char c) { return c == 'I' || c == 'V' || c == 'X'; });
}

// Up to three digits, or one character.
bool is_item(std::string_view token) { return characters(token) == 1 || is_number(token, 3); }

}  // namespace

void SentenceRules::find(std::span<const SentenceToken> tokens, std::vector<std::size_t>& starts) const {
  if (tokens.empty()) return;
  starts.push_back(0);
  std::size_t begin = 0;    // of the sentence
  std::size_t counted = 0;  // tokens before this place have been looked at for "
  std::size_t place = 0;
  bool odd = false;  // an odd number of " in the sentence so far
  const auto closes = [&](std::size_t at) {
    const std::string_view token = tokens[at].text;
    if (tokens[at].glued) return is_one_of(kClosing, token);
    if (at + 1 < tokens.size() && tokens[at + 1].glued) return false;
    if (token != "\"") return is_one_of(kFinal, token);
    for (; counted < at; ++counted) odd ^= tokens[counted].text == "\"";
    return odd;
  };
  while (place < tokens.size()) {
    if (end_at(tokens, place) == End::none) {
      ++place;
      continue;
    }
    std::size_t next = place + 1;
    while (next < tokens.size() && closes(next)) ++next;
    if (next == tokens.size()) return;
    const bool apart = !tokens[next].glued || ends_unspaced(last_character(tokens[place].text));
    if (apart && starts_sentence(tokens, place, next, begin)) {
      starts.push_back(next);
      begin = counted = next;
      odd = false;
    }
    place = next;
  }
}

bool SentenceRules::starts_sentence(std::span<const SentenceToken> tokens, std::size_t stop, std::size_t next,
                                    std::size_t begin) const {
  std::size_t word = next;
  while (word < tokens.size() && is_one_of(kOpening, tokens[word].text)) ++word;
  const std::string_view first = word < tokens.size() ? tokens[word].text : std::string_view();
  const std::string_view end = tokens[stop].text;
  const bool small = !first.empty() && starts_small(first);
  switch (end_at(tokens, stop)) {
    case End::mark: {
      if (end == "." && stop == begin + 1 && is_item(tokens[begin].text)) return false;
      if (end == "." && stop > begin && is_ordinal(tokens, stop, word)) return false;
      if (!small) return true;
      if (word != stop + 1) return false;
      // Behind a question, reporting words (diye sordum, sagde Lis); but who begins sentences small goes on so.
      if (asks_or_exclaims(last_character(end))) return starts_small(tokens[begin].text);
      if (end != "." || stop == begin || !tokens[stop].glued) return end == ".";
      return !is_small_letter(tokens[stop - 1].text) && !is_armenian(last_character(tokens[stop - 1].text));
    }
    case End::emoticon:
      return !small;
    case End::stopped:
      if (stop == begin || !starters_.contains(std::string(first))) return false;
      // One character is an initial, but not behind another abbreviation (a. C., v. Chr.).
      return characters(end) > 2 ||
             (end_of(tokens[stop - 1].text) == End::stopped && starts_small(tokens[stop - 1].text));
    case End::none:
      break;
  }
  return false;
}

bool SentenceRules::is_ordinal(std::span<const SentenceToken> tokens, std::size_t stop, std::size_t word) const {
  if (!ordinals_ || !tokens[stop].glued || word == tokens.size()) return false;
  const std::string_view number = tokens[stop - 1].text, first = tokens[word].text;
  const bool roman = is_roman(number);
  if (!roman && !is_number(number, 4)) return false;
  if (starts_small(first)) return true;
  if (is_digit(first.front())) {
    const bool apart = word + 1 < tokens.size() && tokens[word + 1].glued && tokens[word + 1].text == ".";
    const bool dated =
        first.back() == '.' ? is_number(first.substr(0, first.size() - 1), 2) : apart && is_number(first, 2);
    return roman || number.size() <= 2 || dated;
  }
  return roman && !starters_.contains(std::string(first));
}

}  // namespace corpusprep
