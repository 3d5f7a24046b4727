// Tokens that do not depend on the language: some of the rules of tokenizer.hpp. Only scanner.hpp includes it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/token_characters.hpp"

namespace corpusprep {

using namespace token_characters;

// One text, and the rules that need nothing else.
class TextRules {
 protected:
  explicit TextRules(std::string_view text) : text_(text) {}

  unsigned char at(std::size_t position) const noexcept { return static_cast<unsigned char>(text_[position]); }

  bool is(std::size_t position, char byte) const noexcept { return position < text_.size() && text_[position] == byte; }

  bool has_flag(std::size_t position, std::uint8_t flags) const noexcept {
    return position < text_.size() && (kAscii[at(position)] & flags) != 0;
  }

  Character character(std::size_t position) const noexcept {
    const DecodedCharacter decoded = decode_utf8(text_, position);
    return {decoded.code_point, decoded.length, kind_of(decoded.code_point)};
  }

  bool is_kind(std::size_t position, Kind kind) const noexcept {
    return position < text_.size() && character(position).kind == kind;
  }

  bool is_word_character(std::size_t position) const noexcept {
    if (position >= text_.size()) return false;
    if (at(position) < 0x80) return (kAscii[at(position)] & (kLetter | kDigit)) != 0;
    const Kind kind = character(position).kind;
    return kind == Kind::letter || kind == Kind::number;
  }

  static constexpr std::size_t kBreakBytes = 3;

  // Returns whether a zero-width space ends a word at `position`: between two characters of South-East Asia.
  bool is_break(std::size_t position) const noexcept {
    if (position == 0 || text_.substr(position, kBreakBytes) != "\xE2\x80\x8B") return false;
    if (position + kBreakBytes >= text_.size()) return false;
    std::size_t last = position - 1;
    while (last != 0 && (at(last) & 0xC0) == 0x80) --last;
    const Character next = character(position + kBreakBytes);
    return ends_words_unseen(decode_utf8(text_, last).code_point) && ends_words_unseen(next.code_point) &&
           next.kind != Kind::extender;
  }

  std::size_t behind_spaces(std::size_t position) const noexcept {
    while (is_kind(position, Kind::space)) position += character(position).length;
    return position;
  }

  // Returns the position after the extenders at `position`.
  std::size_t extended(std::size_t position) const noexcept {
    while (position < text_.size() && at(position) >= 0x80) {
      const Character next = character(position);
      if (next.kind != Kind::extender) break;
      position += next.length;
    }
    return position;
  }

  // Returns the position after the format characters, and their extenders, at `position`.
  std::size_t behind_formats(std::size_t position) const noexcept {
    while (position < text_.size() && at(position) >= 0x80) {
      const Character next = character(position);
      if (next.kind != Kind::format || is_break(position)) break;
      position = extended(position + next.length);
    }
    return position;
  }

  // Rule 1: returns the end of the URL that starts at `start`, or 0.
  std::size_t url_end(std::size_t start) const noexcept {
    const char first = static_cast<char>(at(start) | 0x20);
    if (first != 'h' && first != 'w' && first != 'f') return 0;
    std::size_t end = 0;
    for (const std::string_view prefix : {"http://", "https://", "ftp://", "www."}) {
      const std::string_view text = text_.substr(start, prefix.size());
      const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; };
      if (std::ranges::equal(text, prefix, same)) end = start + prefix.size();
    }
    return end == 0 || !is_word_character(end) ? 0 : link_end(end, end);
  }

  // Returns where the link ends that goes on at `end`; not before `least`.
  std::size_t link_end(std::size_t end, std::size_t least) const noexcept {
    std::size_t round = 0, square = 0;  // closing brackets minus opening ones, modulo 2^64
    while (end < text_.size()) {
      const unsigned char byte = at(end);
      if (byte < 0x80) {
        if ((kAscii[byte] & kUrl) == 0) break;
        round += (byte == ')') - static_cast<std::size_t>(byte == '(');
        square += (byte == ']') - static_cast<std::size_t>(byte == '[');
        ++end;
      } else {
        const Character next = character(end);
        if (next.kind != Kind::letter && next.kind != Kind::number && next.kind != Kind::extender) break;
        end += next.length;
      }
    }
    const auto more_closing = [](std::size_t difference) { return static_cast<std::ptrdiff_t>(difference) > 0; };
    while (end > least) {
      const unsigned char last = at(end - 1);
      if (last == ')' ? more_closing(round) : last == ']' ? more_closing(square) : (kAscii[last] & kUrlTail) != 0) {
        round -= (last == ')') - static_cast<std::size_t>(last == '(');
        square -= (last == ']') - static_cast<std::size_t>(last == '[');
        --end;
      } else {
        break;
      }
    }
    return end;
  }

  // Rule 3: returns the end of the e-mail address that starts at `start`, or 0.
  std::size_t email_end(std::size_t start) noexcept {
    // All starts inside a sequence of such characters reach the same @ or none. One look per sequence keeps time
    // linear.
    if (start < no_email_before_) return 0;
    std::size_t end = start;
    while (has_flag(end, kLocal)) ++end;
    no_email_before_ = end;
    if (end == start || !is(end, '@') || !has_flag(end + 1, kLetter | kDigit)) return 0;
    std::size_t last_dot = 0;
    for (++end;
         has_flag(end, kLetter | kDigit) || is(end, '-') || (is(end, '.') && has_flag(end + 1, kLetter | kDigit));
         ++end) {
      if (at(end) == '.') last_dot = end;
    }
    while (at(end - 1) == '-') --end;
    return last_dot != 0 && has_flag(last_dot + 1, kLetter) ? end : 0;
  }

  // Rule 5: returns the end of the host or file name that starts at `start`, or 0.
  std::size_t host_end(std::size_t start) noexcept {
    // All starts inside a chain of such names reach the same end.
    if (start < no_host_before_) return 0;
    std::size_t end = start, last_dot = start;
    bool letter = false, letter_before_dot = false;
    while (has_flag(end, kLetter | kDigit) || is(end, '-') || is(end, '_') ||
           (is(end, '.') && has_flag(end + 1, kLetter | kDigit))) {
      if (at(end) == '.') {
        last_dot = end;
        letter_before_dot = letter;
      }
      letter |= has_flag(end, kLetter);
      ++end;
    }
    no_host_before_ = end;
    const auto small = [&](std::size_t place) { return in_range(at(place), 'a', 'z'); };
    if (!letter_before_dot || end - last_dot < 3 || !small(last_dot + 1)) return 0;
    for (std::size_t place = last_dot + 1; place < end; ++place) {
      if (!small(place) && !has_flag(place, kDigit)) return 0;
    }
    if (is_word_character(end)) return 0;
    return is(end, '/') ? link_end(end, start) : end;
  }

  // Rule 4: returns the end of the acronym that starts at `start`, or 0.
  std::size_t acronym_end(std::size_t start) const noexcept {
    std::size_t end = 0, letters = 0, position = start;
    while (is_kind(position, Kind::letter)) {
      position = extended(position + character(position).length);
      if (is_word_character(position)) break;
      ++letters;
      end = position;
      if (!is(position, '.') || is(position + 1, '.')) break;
      end = ++position;
    }
    return letters >= 2 ? end : 0;
  }

  // Whether a letter, a number or an extender stands before `position`.
  bool is_behind_word(std::size_t position) const noexcept {
    if (position == 0) return false;
    const Kind kind = character_before(position).kind;
    return kind == Kind::letter || kind == Kind::number || kind == Kind::extender;
  }

  Character character_before(std::size_t position) const noexcept {
    --position;
    while (position > 0 && (at(position) & 0xC0) == 0x80) --position;
    return character(position);
  }

  // Rule 7: returns the end of the hashtag or name at the # or @ at `start`, or 0.
  std::size_t tag_end(std::size_t start) const noexcept {
    if (is_behind_word(start)) return 0;
    std::size_t end = start + 1;
    bool letter = false;
    while (end < text_.size()) {
      if (at(end) < 0x80) {
        if (!has_flag(end, kLetter | kDigit) && at(end) != '_') break;
        letter |= has_flag(end, kLetter);
        ++end;
        continue;
      }
      const Character next = character(end);
      const bool word = next.kind == Kind::letter || next.kind == Kind::number;
      if (at(start) == '@' || (!word && (next.kind != Kind::extender || end <= start + 1))) break;
      letter |= next.kind == Kind::letter;
      end += next.length;
    }
    return letter ? end : 0;
  }

  // Rule 7: returns the end of the year at the apostrophe at `start`, which is `size` bytes long, or 0.
  std::size_t year_end(std::size_t start, std::size_t size) const noexcept {
    std::size_t end = start + size + 2;
    if (!has_flag(end - 2, kDigit) || !has_flag(end - 1, kDigit) || is_behind_word(start)) return 0;
    end += is(end, 's');
    return is_word_character(end) ? 0 : end;
  }

  // Rule 9: returns the end of the emoticon at `start`, or 0.
  std::size_t emoticon_end(std::size_t start, bool glued) const noexcept {
    if (glued && (at(start - 1) >= 0x80 || has_flag(start - 1, kLetter | kDigit))) return 0;
    std::size_t end = start + 1;
    if (end < text_.size() && is_nose(at(end))) ++end;
    if (end == text_.size() || !is_mouth(at(end))) return 0;
    const unsigned char mouth = at(end);
    while (end < text_.size() && at(end) == mouth) ++end;
    return is_word_character(end) || (end < text_.size() && is_mouth(at(end))) ? 0 : end;
  }

  // Rule 8: returns the end of the character reference at `start`, or the end of its ampersand.
  std::size_t reference_end(std::size_t start) const noexcept {
    std::size_t end = start + 1;
    const auto run = [&](auto&& accepts, std::size_t least, std::size_t most) {
      std::size_t length = 0;
      for (; length <= most && end < text_.size() && accepts(at(end)); ++length) ++end;
      return length >= least && length <= most && is(end, ';');
    };
    const auto decimal = [](unsigned char c) { return (kAscii[c] & kDigit) != 0; };
    const auto alphanumeric = [](unsigned char c) { return (kAscii[c] & (kLetter | kDigit)) != 0; };
    const auto hexadecimal = [&](unsigned char c) { return decimal(c) || in_range(c | 0x20, 'a', 'f'); };
    bool found = false;
    if (!is(end, '#')) {
      found = has_flag(end, kLetter) && run(alphanumeric, 2, 31);  // no name has one letter: AT&T;
    } else {
      ++end;
      const bool is_hexadecimal = is(end, 'x') || is(end, 'X');
      end += is_hexadecimal;
      found = is_hexadecimal ? run(hexadecimal, 1, 6) : run(decimal, 1, 7);
    }
    return found ? end + 1 : start + 1;
  }

  // Rule 11: returns the end of the symbol at `start` with everything joined to it.
  std::size_t emoji_end(std::size_t start, Character symbol) const noexcept {
    const auto regional_indicator = [](char32_t c) { return in_range(c, 0x1F1E6, 0x1F1FF); };
    std::size_t end = start + symbol.length;
    if (regional_indicator(symbol.code_point) && end < text_.size()) {
      const Character next = character(end);
      return regional_indicator(next.code_point) ? end + next.length : end;
    }
    while (true) {
      end = extended(end);
      const bool joined = end - start > 3 && text_.substr(end - 3, 3) == "\xE2\x80\x8D";
      if (!joined || !is_kind(end, Kind::symbol) || at(end) < 0x80) return end;
      end += character(end).length;
    }
  }

  std::string_view text_;
  std::size_t no_email_before_ = 0;
  std::size_t no_host_before_ = 0;
};

}  // namespace corpusprep
