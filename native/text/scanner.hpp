// Applies the rules of tokenizer.hpp to one text. Only tokenizer.cpp includes it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_rules.hpp"
#include "text/tokenizer.hpp"

namespace corpusprep {

// A bit for a size of 1 to 64.
constexpr std::uint64_t size_bit(std::size_t size) noexcept { return std::uint64_t{1} << (size - 1); }

// One pass over one text.
class Scanner : private TextRules {
 public:
  Scanner(const Tokenizer& tokenizer, std::string_view text) : TextRules(text), tokenizer_(tokenizer) {}

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
      std::size_t end = extended(token_end(position, glued));
      if (const std::size_t whole = tokenizer_.word_sizes_[byte] != 0 ? listed_end(position) : 0; whole >= end) {
        end = whole;
        cuts_.clear();
      }
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
  // Returns the end of the token at `start` if its bytes and the next byte settle it, as is usual: an ASCII word or
  // punctuation mark to which only rules 6, 9, 10 and 12 can apply. Otherwise 0.
  std::size_t plain_end(std::size_t start) const noexcept {
    const std::uint8_t flags = kAscii[at(start)];
    std::size_t end = start + 1;
    if ((flags & (kLetter | kDigit)) != 0) {
      while (end < text_.size() && (kAscii[at(end)] & (kLetter | kDigit)) != 0) ++end;
      if (end == text_.size()) return end;
      return (tokenizer_.ends_word_[at(end)] & kAscii[at(end - 1)]) != 0 ? end : 0;
    }
    if (!tokenizer_.plain_mark_[at(start)]) return 0;
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
      } else if (byte == '\'' || byte == '`') {
        if (const std::size_t end = apostrophe_end(start, 1, glued)) return end;
      } else if (byte == '#' || byte == '@') {
        if (const std::size_t end = tag_end(start)) return end;
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
        if (!is_apostrophe(first.code_point)) return emoji_end(start, first);
        break;
      default:
        break;
    }
    if (is_apostrophe(first.code_point)) {
      if (const std::size_t end = apostrophe_end(start, first.length, glued)) return end;
    }
    return start + first.length;
  }

  // Listed words: returns the end of the longest one that starts at `start`, or 0.
  std::size_t listed_end(std::size_t start) const {
    const Kind first = character(start).kind;
    const bool mark = first != Kind::letter && first != Kind::number && first != Kind::solitary;
    if (mark && is_behind_word(start)) return 0;
    for (std::uint64_t sizes = tokenizer_.word_sizes_[at(start)]; sizes != 0;) {
      const auto size = static_cast<std::size_t>(std::bit_width(sizes));
      sizes ^= size_bit(size);
      const std::size_t end = start + size;
      if (end > text_.size() || is_word_character(end) || is_kind(end, Kind::extender)) continue;
      if (tokenizer_.words_.contains(text_.substr(start, size))) return end;
    }
    return 0;
  }

  // Whether what stands before `position` can end a word or a quotation: it is no opening mark.
  bool is_behind_end(std::size_t position) const noexcept {
    const char32_t before = character_before(position).code_point;
    constexpr std::u32string_view kOpening = U"([{<\u201E\u201A\u201C\u2018\u00AB\u2039\u00BF\u00A1";
    return kOpening.find(before) == std::u32string_view::npos;
  }

  // Rules 6 and 7: returns the end of the suffix clitic or year at the apostrophe at `start`, or 0.
  std::size_t apostrophe_end(std::size_t start, std::size_t size, bool glued) const {
    if (glued && is_behind_end(start)) {
      for (const std::string& suffix : tokenizer_.rules_.clitic_suffixes) {
        const std::size_t end = start + suffix.size();
        if (suffix.size() > size && text_.substr(start).starts_with(suffix) && !is_word_character(end)) return end;
      }
    }
    return year_end(start, size);
  }

  // Rules 1 to 6: tokens that start with a letter or number.
  std::size_t word_like_end(std::size_t start) {
    if (const std::size_t end = url_end(start)) return end;
    if (const std::size_t end = tokenizer_.starts_prefix_[at(start)] ? prefix_end(start) : 0) return end;
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
        if (has_flag(word.end + 1, kLetter | kDigit)) {
          if (const std::size_t host = host_end(start)) return host;
        }
      }
      // A word with a hyphen that stands for the rest of a compound (Vor- und Nachteile).
      if (next == '-' && tokenizer_.starts_joint_['-'] && is_kind(word.end + 1, Kind::space)) return word.end + 1;
    }
    if (word.linked) cut_suffixes(start, word.end);
    return word.end;
  }

  // Rule 2: returns the end of the prefix clitic at `start`, or 0.
  std::size_t prefix_end(std::size_t start) const noexcept {
    std::size_t place = start;
    while (has_flag(place, kLetter)) ++place;
    if (place == text_.size() || (at(place) < 0x80 && !has_flag(place, kLink))) return 0;  // as most words
    for (const std::string_view prefix : tokenizer_.prefixes_[at(start)]) {
      const std::size_t end = start + prefix.size();
      if (text_.substr(start, prefix.size()) != prefix) continue;
      if (is_word_character(end)) return end;
      if (prefix.back() != '-' && (is_kind(end, Kind::space) || is_quotation(end))) return end;
    }
    return 0;
  }

  // Whether a quotation mark stands at `position` (l'«Avvenire»).
  bool is_quotation(std::size_t position) const noexcept {
    if (position == text_.size()) return false;
    const char32_t mark = character(position).code_point;
    return mark == U'"' || mark == 0x00AB || mark == 0x201C || mark == 0x201E;
  }

  struct Word {
    std::size_t end;
    bool linked;  // contains a linking character
  };

  Word scan_word(std::size_t start) const noexcept {
    Word word{start, false};
    char32_t last = 0;  // the last letter or number
    bool number = false;
    while (word.end < text_.size()) {
      const unsigned char byte = at(word.end);
      if (byte < 0x80 && (kAscii[byte] & (kLetter | kDigit)) != 0) {
        number = (kAscii[byte] & kDigit) != 0;
        last = byte;
        ++word.end;
        continue;
      }
      std::size_t position = byte < 0x80 ? word.end : extended(word.end);
      if (position == text_.size()) {
        word.end = position;
        break;
      }
      if (!is_word_character(position)) {
        word.end = position;
        position = behind_formats(position);
        if (position == text_.size()) break;
        const std::size_t mark = position;
        const DecodedCharacter connector = decode_utf8(text_, mark);
        if (may_join(connector.code_point)) position = behind_formats(extended(mark + connector.length));
        if (position == word.end || !is_word_character(position)) break;
        if (position > mark || mark > word.end) {
          const Character next = character(position);
          const bool joined =
              mark == position || joins(start, mark, connector.code_point, last, number, position, next);
          if (!joined) break;
          word.linked |= mark != position && is_link(connector.code_point);
        }
      }
      const Character next = character(position);
      number = next.kind == Kind::number;
      last = next.code_point;
      word.end = position + next.length;
    }
    return word;
  }

  // Whether a mark can join the characters around it to a word.
  bool may_join(char32_t mark) const noexcept {
    return is_link(mark) || is_link_of_numbers(mark) || is_gershayim(mark) ||
           (mark < 0x80 && tokenizer_.starts_joint_[mark]);
  }

  // Rule 6: whether the mark at `mark`, in the word that starts at `start`, joins the letter or number before it to the
  // one at `position`.
  bool joins(std::size_t start, std::size_t mark, char32_t code_point, char32_t last, bool number, std::size_t position,
             Character next) const noexcept {
    const bool to_number = next.kind == Kind::number;
    if (number && to_number && is_link_of_numbers(code_point)) return true;
    if (tokenizer_.rules_.hyphens_apart && is_hyphen(code_point)) return number && to_number;
    if (is_link(code_point)) {
      if (is_poor_apostrophe(code_point) && (number || to_number)) return false;
      return !is_apostrophe(code_point) || !(is_hangul(last) || is_hangul(next.code_point));
    }
    if (is_gershayim(code_point)) return joins_hebrew(start, mark, last, position, next);
    if (code_point >= 0x80 || code_point == '-' || !tokenizer_.starts_joint_[code_point] || to_number ||
        !is_small(next.code_point))
      return false;
    return std::ranges::any_of(tokenizer_.rules_.joints,
                               [&](const std::string& joint) { return text_.substr(mark).starts_with(joint); });
  }

  // Whether the quotation mark at `mark` stands for gershayim: before the last letter of a Hebrew word, or in a word
  // that begins with other letters than those of prefixes, before which a quotation may begin.
  bool joins_hebrew(std::size_t start, std::size_t mark, char32_t last, std::size_t position,
                    Character next) const noexcept {
    if (!is_hebrew(last) || !is_hebrew(next.code_point)) return false;
    if (!is_word_character(extended(position + next.length))) return true;
    for (std::size_t letters = 0; start < mark && letters < 4; ++letters) {
      const Character letter = character(start);
      if (!is_hebrew_prefix(letter.code_point)) return true;
      start = extended(start + letter.length);
    }
    return start < mark;
  }

  // Rule 6, suffix clitics: adds the places where the word [start, end) is cut to `cuts_`, the last one first.
  void cut_suffixes(std::size_t start, std::size_t end) {
    bool found = true;
    while (found) {
      found = false;
      const std::string_view word = text_.substr(start, end - start);
      for (const std::string_view suffix : tokenizer_.suffixes_[at(end - 1)]) {
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

  // Rule 4: returns the end of the longest abbreviation that starts at `start` and has its first full stop at `stop`;
  // or 0.
  std::size_t abbreviation_end(std::size_t start, std::size_t stop) const {
    const std::size_t limit = std::min(text_.size(), start + tokenizer_.longest_abbreviation_);
    std::size_t end = 0;
    for (; stop < limit && (kAscii[at(stop)] & kSpace) == 0; ++stop) {
      if (at(stop) != '.' || is(stop + 1, '.') || is_kind(stop + 1, Kind::letter)) continue;
      const std::size_t size = stop + 1 - start;
      if ((tokenizer_.abbreviation_sizes_[at(start)] & size_bit(size)) == 0) continue;
      const auto found = tokenizer_.abbreviations_.find(text_.substr(start, size));
      if (found == tokenizer_.abbreviations_.end()) continue;
      if (!found->second || is_kind(behind_spaces(stop + 1), Kind::number)) end = stop + 1;
    }
    return end;
  }

  // Rule 4: returns the end of the initial or ordinal number at `start` whose full stop is at `stop`, or 0.
  std::size_t marked_end(std::size_t start, std::size_t stop) const {
    const std::size_t next = behind_spaces(stop + 1);
    if (next == stop + 1 || next == text_.size()) return 0;
    const Character following = character(next);
    const bool small = following.kind == Kind::letter && is_small(following.code_point);
    const std::string_view text = text_.substr(start, stop - start);
    if (std::ranges::all_of(text, [](char c) { return in_range(c, '0', '9'); })) {
      if (tokenizer_.rules_.ordinals == Ordinals::none || text.size() > 4) return 0;
      const bool day = text.size() <= 2;
      if (following.kind == Kind::number) return day ? stop + 1 : 0;
      const bool capital = day && tokenizer_.rules_.ordinals == Ordinals::any && following.kind == Kind::letter;
      return small || capital ? stop + 1 : 0;
    }
    const bool roman = std::ranges::all_of(text, [](char c) { return c == 'I' || c == 'V' || c == 'X'; });
    if (roman && small && tokenizer_.rules_.ordinals != Ordinals::none) return stop + 1;
    const Character letter = character(start);
    if (letter.kind != Kind::letter || extended(start + letter.length) != stop || is_small(letter.code_point)) return 0;
    return following.kind == Kind::letter ? stop + 1 : 0;
  }

  const Tokenizer& tokenizer_;
  std::vector<std::size_t> cuts_;
};

}  // namespace corpusprep
