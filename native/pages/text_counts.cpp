#include <algorithm>
#include <array>
#include <cstdint>

#include "pages/features.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

// What a character is, as the feature last_character has it.
enum Mark : std::uint8_t { kOther, kDigit, kCapital, kSmall, kComma, kColon, kEllipsis, kClosing, kQuestion, kStop };

constexpr std::uint8_t ascii_mark(char c) {
  if (c >= '0' && c <= '9') return kDigit;
  if (c >= 'A' && c <= 'Z') return kCapital;
  if (c >= 'a' && c <= 'z') return kSmall;
  switch (c) {
    case ',':
    case ';':
      return kComma;
    case ':':
      return kColon;
    case '"':
    case ')':
      return kClosing;
    case '?':
      return kQuestion;
    case '.':
    case '!':
      return kStop;
    default:
      return kOther;
  }
}

constexpr auto kAscii = [] {
  std::array<std::uint8_t, 128> marks{};
  for (std::size_t c = 0; c < marks.size(); ++c) marks[c] = ascii_mark(static_cast<char>(c));
  return marks;
}();

std::uint8_t mark_beyond_ascii(char32_t c) noexcept {
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

constexpr bool is_separator(char32_t c) noexcept {
  return c == '|' || c == '>' || c == 0xAB || c == 0xB7 || c == 0xBB || c == 0x203A || c == 0x2022;
}

constexpr bool is_quote(char32_t c) noexcept { return c == '"' || (c >= 0x201C && c <= 0x201E); }

// Counts of the ASCII characters of a word, one byte each: letters, capitals, digits, other characters, commas,
// sentence ends, separators, quotation marks.
constexpr std::size_t kLetters = 0, kCapitalLetters = 8, kDigitCharacters = 16, kOthers = 24, kCommas = 32, kEnds = 40,
                      kSeparators = 48, kQuotes = 56;
constexpr std::size_t kLongestLaneWord = 200;  // below 256, so that no byte overflows

constexpr auto kLanes = [] {
  std::array<std::uint64_t, 128> lanes{};
  const auto one = [](bool counts, std::size_t lane) { return counts ? std::uint64_t{1} << lane : 0; };
  for (std::size_t c = 0; c < lanes.size(); ++c) {
    const auto mark = kAscii[c];
    const bool letter = mark == kSmall || mark == kCapital, other = !letter && mark != kDigit;
    lanes[c] = one(letter, kLetters) | one(mark == kCapital, kCapitalLetters) | one(mark == kDigit, kDigitCharacters) |
               one(other, kOthers) | one(mark == kComma, kCommas) | one(mark == kStop || mark == kQuestion, kEnds) |
               one(is_separator(static_cast<char32_t>(c)), kSeparators) |
               one(is_quote(static_cast<char32_t>(c)), kQuotes);
  }
  return lanes;
}();

constexpr std::uint32_t lane(std::uint64_t lanes, std::size_t place) { return lanes >> place & 0xFF; }

// In twentieths of a word.
std::uint32_t unspaced_weight(char32_t c) noexcept {
  const bool south_east_asia =
      in_range(c, 0x0E00, 0x109F) || in_range(c, 0x1780, 0x17FF) || in_range(c, 0xA9E0, 0xAA7F);
  return south_east_asia ? 5 : 12;
}

// Counts one character after the other.
class Counter {
 public:
  void set(TextMark state) noexcept {
    link_open_ = state.linked && (link_open_ || !linked_);
    linked_ = state.linked;
    bold_ = state.bold;
  }
  void space() noexcept {
    end_word();
    slash_ = false;
  }
  bool inside() const noexcept { return inside_; }
  // Counts a whole word of ASCII, with its lanes. The same as each of its characters, in a quarter of the time.
  void ascii_word(std::string_view word, std::uint64_t lanes) noexcept {
    begin_word(false);
    counts_.links += link_open_;
    link_open_ = false;
    linked_words_ += linked_;
    counts_.bold_words += bold_;
    if (counts_.characters == 0) {
      const auto first = kAscii[static_cast<unsigned char>(word.front())];
      counts_.first = first <= kSmall ? first : kOther;
    }
    counts_.characters += static_cast<std::uint32_t>(word.size());
    counts_.last = kAscii[static_cast<unsigned char>(word.back())];
    const auto letters = lane(lanes, kLetters), capitals = lane(lanes, kCapitalLetters);
    counts_.letters += letters;
    counts_.all_capitals += letters > 1 && letters == capitals;
    inside_ = false;
    if (capitals) {
      counts_.capitals += capitals;
      std::size_t k = 0;
      while (lane(kLanes[static_cast<unsigned char>(word[k])], kOthers)) ++k;
      counts_.capitalised += kAscii[static_cast<unsigned char>(word[k])] == kCapital;
    }
    if (letters == word.size()) return;
    counts_.digits += lane(lanes, kDigitCharacters);
    if (const auto others = lane(lanes, kOthers)) {
      counts_.punctuation += others;
      counts_.commas += lane(lanes, kCommas);
      counts_.ends += lane(lanes, kEnds);
      counts_.separators += lane(lanes, kSeparators);
      counts_.quotes += lane(lanes, kQuotes);
      counts_.at_sign |= word.find('@') != std::string_view::npos;
      counts_.address |= others > 1 && word.find("//") != std::string_view::npos;
    }
  }
  void character(char32_t c, std::uint8_t mark) noexcept {
    const bool unspaced = c >= 0x0E00 && (mark == kSmall) && script_without_spaces(c);
    if (!inside_) begin_word(unspaced);
    if (link_open_) {
      link_open_ = false;
      ++counts_.links;
    }
    if (unspaced) {
      ++counts_.unspaced;
      const auto weight = unspaced_weight(c);
      weight_ += weight;
      link_weight_ += linked_ ? weight : 0;
    }
    if (linked_ && !word_linked_) {
      word_linked_ = true;
      linked_words_ += plain_;
    }
    if (bold_ && !word_bold_) {
      word_bold_ = true;
      ++counts_.bold_words;
    }
    ++counts_.characters;
    if (counts_.characters == 1) counts_.first = mark <= kSmall ? mark : kOther;
    counts_.last = mark;
    if (mark == kSmall || mark == kCapital) {
      letter(mark == kCapital);
    } else if (mark == kDigit) {
      ++counts_.digits;
      seen_letter_ = true;  // a word that begins with a digit has no capital
    } else {
      punctuation(c, mark);
    }
    slash_ = c == '/';
  }
  TextCounts finish() noexcept {
    end_word();
    counts_.words = std::max(1U, plain_words_ + (weight_ + 10) / 20);
    counts_.link_words = std::min(counts_.words, linked_words_ + (link_weight_ + 10) / 20);
    return counts_;
  }

 private:
  void begin_word(bool unspaced) noexcept {
    inside_ = true;
    plain_ = !unspaced;
    plain_words_ += plain_;
    ++counts_.spaced;
    word_linked_ = word_bold_ = seen_letter_ = false;
    word_letters_ = word_capitals_ = 0;
  }
  void end_word() noexcept {
    if (inside_ && word_letters_ > 1 && word_letters_ == word_capitals_) ++counts_.all_capitals;
    inside_ = false;
  }
  void letter(bool capital) noexcept {
    ++counts_.letters;
    ++word_letters_;
    if (capital) {
      ++counts_.capitals;
      ++word_capitals_;
      if (!seen_letter_) ++counts_.capitalised;
    }
    seen_letter_ = true;
  }
  void punctuation(char32_t c, std::uint8_t mark) noexcept {
    ++counts_.punctuation;
    counts_.commas += mark == kComma;
    counts_.ends += mark == kStop || mark == kQuestion;
    counts_.separators += is_separator(c);
    counts_.quotes += is_quote(c);
    counts_.copyright |= c == 0xA9;
    counts_.at_sign |= c == '@';
    counts_.address |= c == '/' && slash_;
  }

  TextCounts counts_;
  std::uint32_t plain_words_ = 0, linked_words_ = 0, weight_ = 0, link_weight_ = 0;
  std::uint32_t word_letters_ = 0, word_capitals_ = 0;
  bool linked_ = false, bold_ = false, link_open_ = false;
  bool inside_ = false, plain_ = false, word_linked_ = false, word_bold_ = false, seen_letter_ = false, slash_ = false;
};

}  // namespace

TextCounts count_text(std::string_view text, std::size_t position, TextMark state, const TextMark* marks,
                      std::size_t mark_count) noexcept {
  Counter counter;
  counter.set(state);
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size();) {
    while (next < mark_count && marks[next].position <= position + i) counter.set(marks[next++]);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == ' ') {
      counter.space();
      ++i;
      continue;
    }
    if (byte < 0x80) {
      if (!counter.inside()) {
        const std::size_t stop =
            next < mark_count ? std::min(text.size(), marks[next].position - position) : text.size();
        const std::size_t end = std::min(stop, i + kLongestLaneWord);
        std::size_t k = i;
        std::uint64_t lanes = 0;
        for (; k < end && text[k] > ' '; ++k) lanes += kLanes[static_cast<unsigned char>(text[k])];
        if (k == text.size() || text[k] == ' ') {
          counter.ascii_word(text.substr(i, k - i), lanes);
          i = k;
          continue;
        }
      }
      counter.character(byte, kAscii[byte]);
      ++i;
      continue;
    }
    const auto decoded = decode_utf8(text, i);
    counter.character(decoded.code_point, mark_beyond_ascii(decoded.code_point));
    i += decoded.length;
  }
  return counter.finish();
}

}  // namespace corpusprep
