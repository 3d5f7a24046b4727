// Applies the rules of tokenizer.hpp to one text. Only tokenizer.cpp includes it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/token_characters.hpp"
#include "text/tokenizer.hpp"

namespace corpusprep {

using namespace token_characters;

// One pass over one text.
class Scanner {
 public:
  Scanner(const Tokenizer& tokenizer, std::string_view text) : tokenizer_(tokenizer), text_(text) {}

  template <class Sink>
  void run(Sink&& sink) {
    const std::size_t size = text_.size();
    std::size_t position = 0;
    bool glued = false;
    while (position < size) {
      const unsigned char byte = at(position);
      if (glued && byte == 0xE2 && is_break(position)) {
        position += kBreakBytes;
        continue;
      }
      if (byte < 0x80 ? (kAscii[byte] & kSpace) != 0 : character(position).kind == Kind::space) {
        position += byte < 0x80 ? 1 : character(position).length;
        glued = false;
        continue;
      }
      if (const std::size_t end = plain_end(position)) {
        sink(position, end, glued);
        position = end;
        glued = true;
        continue;
      }
      cuts_.clear();
      const std::size_t end = extended(token_end(position, glued));
      for (auto cut = cuts_.rbegin(); cut != cuts_.rend(); ++cut) {
        sink(position, *cut, glued);
        position = *cut;
        glued = true;
      }
      sink(position, end, glued);
      position = end;
      glued = true;
    }
  }

 private:
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

  // Returns the end of the token at `start` if its bytes and the next byte settle it, as is usual: an ASCII word or
  // punctuation mark to which only rules 5, 8 and 10 can apply. Otherwise 0.
  std::size_t plain_end(std::size_t start) const noexcept {
    const std::uint8_t flags = kAscii[at(start)];
    std::size_t end = start + 1;
    if ((flags & (kLetter | kDigit)) != 0) {
      while (end < text_.size() && (kAscii[at(end)] & (kLetter | kDigit)) != 0) ++end;
      if (end == text_.size()) return end;
      return (tokenizer_.ends_word_[at(end)] & kAscii[at(end - 1)]) != 0 ? end : 0;
    }
    if (at(start) >= 0x80 || at(start) == '&') return 0;
    if (end == text_.size()) return end;
    if (is_eyes(at(start)) && (is_nose(at(end)) || is_mouth(at(end)))) return 0;
    return at(end) < 0x80 && at(end) != at(start) ? end : 0;
  }

  std::size_t token_end(std::size_t start, bool glued) {
    const unsigned char byte = at(start);
    if (byte < 0x80) {
      if (kAscii[byte] & (kLetter | kDigit)) return word_like_end(start);
      if (byte == '&') return reference_end(start);
      if (is_eyes(byte)) {
        if (const std::size_t end = emoticon_end(start, glued)) return end;
      }
      std::size_t end = start + 1;
      if (kAscii[byte] & kRepeats) {
        while (end < text_.size() && at(end) == byte) ++end;
      }
      return end;
    }
    const Character first = character(start);
    switch (first.kind) {
      case Kind::letter:
      case Kind::number:
        return word_like_end(start);
      case Kind::format:
        return behind_formats(start);
      case Kind::symbol:
        return emoji_end(start, first);
      default:
        return start + first.length;
    }
  }

  // Rules 1 to 5: tokens that start with a letter or number.
  std::size_t word_like_end(std::size_t start) {
    if (const std::size_t end = url_end(start)) return end;
    if (tokenizer_.starts_prefix_[at(start)]) {
      for (const std::string& prefix : tokenizer_.rules_.clitic_prefixes) {
        if (text_.substr(start, prefix.size()) == prefix && is_word_character(start + prefix.size())) {
          return start + prefix.size();
        }
      }
    }
    const Word word = scan_word(start);
    if (word.end < text_.size()) {
      // One of these characters follows the first word of an address. Testing it here keeps plain words fast.
      const unsigned char next = at(word.end);
      if (next == '@' || ((kAscii[next] & kLocal) != 0)) {
        if (const std::size_t end = email_end(start)) return end;
      }
      if (next == '.') {
        const std::size_t end =
            std::max({abbreviation_end(start, word.end), acronym_end(start), marked_end(start, word.end)});
        if (end != 0) return end;
      }
    }
    if (word.linked) cut_suffixes(start, word.end);
    return word.end;
  }

  struct Word {
    std::size_t end;
    bool linked;  // contains a linking character
  };

  Word scan_word(std::size_t start) const noexcept {
    Word word{start, false};
    bool number = false;  // the last character is a number
    while (word.end < text_.size()) {
      const unsigned char byte = at(word.end);
      if (byte < 0x80 && (kAscii[byte] & (kLetter | kDigit)) != 0) {
        number = (kAscii[byte] & kDigit) != 0;
        ++word.end;
        continue;
      }
      std::size_t position = byte < 0x80 ? word.end : extended(word.end);
      bool link_of_numbers = false, link = false;
      if (position == text_.size()) {
        word.end = position;
        break;
      }
      if (!is_word_character(position)) {
        word.end = position;
        position = behind_formats(position);
        if (position == text_.size()) break;
        const char32_t connector = decode_utf8(text_, position).code_point;
        link_of_numbers = number && (connector == '.' || connector == ',' || connector == ':' || connector == '/');
        link = link_of_numbers || is_link(connector);
        if (link) position = behind_formats(extended(position + decode_utf8(text_, position).length));
        if (position == word.end || !is_word_character(position)) break;
      }
      const Character next = character(position);
      if (link_of_numbers && next.kind != Kind::number) break;
      number = next.kind == Kind::number;
      word.linked |= link && !link_of_numbers;
      word.end = position + next.length;
    }
    return word;
  }

  // Rule 5, suffix clitics: adds the places where the word [start, end) is cut to `cuts_`, the last one first.
  void cut_suffixes(std::size_t start, std::size_t end) {
    bool found = true;
    while (found) {
      found = false;
      const std::string_view word = text_.substr(start, end - start);
      for (const std::string& suffix : tokenizer_.rules_.clitic_suffixes) {
        if (word.size() <= suffix.size() || !word.ends_with(suffix)) continue;
        const std::size_t cut = end - suffix.size();
        std::size_t last = cut - 1;
        while (last > start && (at(last) & 0xC0) == 0x80) --last;
        const Kind before = character(last).kind;
        if (before != Kind::letter && before != Kind::number && before != Kind::extender) continue;
        cuts_.push_back(cut);
        end = cut;
        found = true;
        break;
      }
    }
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
    if (end == 0 || !is_word_character(end)) return 0;
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
    while (true) {  // stops at the letter or digit after the prefix at the latest
      const unsigned char last = at(end - 1);
      if (last == ')' ? more_closing(round) : last == ']' ? more_closing(square) : (kAscii[last] & kUrlTail) != 0) {
        round -= (last == ')') - static_cast<std::size_t>(last == '(');
        square -= (last == ']') - static_cast<std::size_t>(last == '[');
        --end;
      } else {
        return end;
      }
    }
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

  // Rule 4: returns the end of the longest abbreviation that starts at `start` and has its first full stop at `stop`;
  // or 0.
  std::size_t abbreviation_end(std::size_t start, std::size_t stop) const {
    const std::size_t limit = std::min(text_.size(), start + tokenizer_.longest_abbreviation_);
    std::size_t end = 0;
    for (; stop < limit && (kAscii[at(stop)] & kSpace) == 0; ++stop) {
      if (at(stop) != '.' || is(stop + 1, '.') || is_kind(stop + 1, Kind::letter)) continue;
      const std::size_t size = stop + 1 - start;
      if (size < 64 && (tokenizer_.abbreviation_sizes_[at(start)] >> size & 1) == 0) continue;
      if (tokenizer_.abbreviations_.contains(text_.substr(start, size))) end = stop + 1;
    }
    return end;
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

  // Rule 4: returns the end of the initial or ordinal number at `start` whose full stop is at `stop`, or 0.
  std::size_t marked_end(std::size_t start, std::size_t stop) const {
    const bool digits = (kAscii[at(start)] & kDigit) != 0;
    if (digits) {
      if (!tokenizer_.rules_.ordinals || stop - start > 2 || (kAscii[at(stop - 1)] & kDigit) == 0) return 0;
    } else {
      const Character letter = character(start);
      if (letter.kind != Kind::letter || extended(start + letter.length) != stop || is_small(letter.code_point))
        return 0;
    }
    std::size_t next = stop + 1;
    while (is_kind(next, Kind::space)) next += character(next).length;
    return next != stop + 1 && is_kind(next, Kind::letter) ? stop + 1 : 0;
  }

  // Rule 7: returns the end of the emoticon at `start`, or 0.
  std::size_t emoticon_end(std::size_t start, bool glued) const noexcept {
    if (glued && (at(start - 1) >= 0x80 || has_flag(start - 1, kLetter | kDigit))) return 0;
    std::size_t end = start + 1;
    if (end < text_.size() && is_nose(at(end))) ++end;
    if (end == text_.size() || !is_mouth(at(end))) return 0;
    const unsigned char mouth = at(end);
    while (end < text_.size() && at(end) == mouth) ++end;
    return is_word_character(end) || (end < text_.size() && is_mouth(at(end))) ? 0 : end;
  }

  // Rule 6: returns the end of the character reference at `start`, or the end of its ampersand.
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

  // Rule 9: returns the end of the symbol at `start` with everything joined to it.
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

  const Tokenizer& tokenizer_;
  std::string_view text_;
  std::vector<std::size_t> cuts_;
  std::size_t no_email_before_ = 0;
};

}  // namespace corpusprep
