#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "pages/feature_characters.hpp"
#include "pages/features.hpp"
#include "text/ascii_classes.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

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

constexpr bool is_separator(char32_t c) noexcept {
  return c == '|' || c == '>' || c == 0xAB || c == 0xB7 || c == 0xBB || c == 0x203A || c == 0x2022;
}

constexpr bool is_quote(char32_t c) noexcept { return c == '"' || (c >= 0x201C && c <= 0x201E); }

// Counts of some ASCII characters that are neither letters nor digits, one byte each.
constexpr std::size_t kSeparators = 0, kQuotes = 8, kAtSigns = 16, kSlashes = 24;

constexpr auto kOtherLanes = [] {
  std::array<std::uint64_t, 128> lanes{};
  const auto one = [](bool counts, std::size_t lane) { return counts ? std::uint64_t{1} << lane : 0; };
  for (std::size_t c = 0; c < lanes.size(); ++c) {
    lanes[c] = one(is_separator(static_cast<char32_t>(c)), kSeparators) |
               one(is_quote(static_cast<char32_t>(c)), kQuotes) | one(c == '@', kAtSigns) | one(c == '/', kSlashes);
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

std::uint32_t bits(std::uint64_t mask) noexcept { return static_cast<std::uint32_t>(std::popcount(mask)); }
std::uint64_t lowest(std::uint64_t mask) noexcept { return mask & (~mask + 1); }

// Counts characters, one after the other or up to 64 together; unless kAll, not those for kFeaturesOfAllCounts.
template <bool kAll>
class Counter {
 public:
  // `counts` are new.
  explicit Counter(TextCounts& counts) noexcept : counts_(counts) {}
  void set(TextMark state) noexcept {
    link_open_ = state.linked && (link_open_ || !linked_);
    linked_ = state.linked;
    bold_ = state.bold;
  }
  void space() noexcept {
    end_word();
    slash_ = false;
  }
  // Counts the characters of `classes`, one or more: the same as one by one, in a fraction of the time.
  void ascii(const char* text, const AsciiClasses& classes) noexcept {
    const std::uint64_t solid = classes.all() & ~classes.spaces, known = classes.letters | classes.digits;
    const std::uint64_t starts = solid & ~(solid << 1 | std::uint64_t{inside_});
    const bool continues = inside_ && (solid & 1);
    const std::uint64_t unseen = starts | std::uint64_t{continues && !seen_letter_};  // words without letter or digit
    const std::uint64_t others = solid & ~known;
    if (inside_) continue_word(classes, solid);
    if (solid) edges(text, solid);
    const bool open = (solid & ~(classes.all() >> 1)) != 0;  // the last word may go on
    const std::uint64_t last = open && starts ? ~std::uint64_t{0} << (63 - std::countl_zero(starts)) : 0;
    const auto words = bits(starts & ~last);
    plain_words_ += words;
    counts_.spaced += words;
    linked_words_ += linked_ ? words : 0;
    counts_.bold_words += bold_ ? words : 0;
    counts_.letters += bits(classes.letters);
    counts_.commas += bits(classes.commas);
    counts_.ends += bits(classes.ends);
    if constexpr (kAll) {
      counts_.characters += bits(solid);
      counts_.digits += bits(classes.digits);
    }
    if (classes.capitals) {
      counts_.capitals += bits(classes.capitals);
      // The sum carries from the start of a word over other characters to its first letter or digit.
      counts_.capitalised += bits((unseen + others) & ~others & classes.capitals);
    }
    if constexpr (kAll) {
      punctuation(text, others, classes.size);
      if (classes.capitals) count_all_capitals(classes, solid, starts, last);
    }
    if (!last) return;
    begin_word(false);
    mark_word();
    seen_letter_ = (known & last) != 0;
    if constexpr (kAll) {
      word_letters_ = bits(classes.letters & last);
      word_capitals_ = bits(classes.capitals & last);
    }
  }
  void character(char32_t c) noexcept {
    const auto [_, mark, alone] = feature_character(c);
    const bool unspaced = alone && mark == kSmall;
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
    mark_word();
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
  void finish() noexcept {
    end_word();
    counts_.words = std::max(1U, plain_words_ + (weight_ + 10) / 20);
    counts_.link_words = std::min(counts_.words, linked_words_ + (link_weight_ + 10) / 20);
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
  // Says that the word has a linked or bold character, if the state is so.
  void mark_word() noexcept {
    if (linked_ && !word_linked_) {
      word_linked_ = true;
      linked_words_ += plain_;
    }
    if (bold_ && !word_bold_) {
      word_bold_ = true;
      ++counts_.bold_words;
    }
  }
  void end_word() noexcept {
    if (inside_ && word_letters_ > 1 && word_letters_ == word_capitals_) ++counts_.all_capitals;
    inside_ = false;
  }
  // Counts the characters up to the first space to the word before.
  void continue_word(const AsciiClasses& classes, std::uint64_t solid) noexcept {
    const std::uint64_t part = solid & ~(solid + 1);
    if (part) {
      mark_word();
      seen_letter_ |= ((classes.letters | classes.digits) & part) != 0;
      if constexpr (kAll) {
        word_letters_ += bits(classes.letters & part);
        word_capitals_ += bits(classes.capitals & part);
      }
    }
    if (part != classes.all()) end_word();
  }
  void edges(const char* text, std::uint64_t solid) noexcept {
    if (kAll && counts_.characters == 0) {
      const auto first = kAscii[static_cast<unsigned char>(text[std::countr_zero(solid)])];
      counts_.first = first <= kSmall ? first : std::uint8_t{kOther};
    }
    counts_.last = kAscii[static_cast<unsigned char>(text[63 - std::countl_zero(solid)])];
    counts_.links += link_open_;
    link_open_ = false;
  }
  // Counts the words in capitals among those that begin at `starts`; the last one, if it may go on, is `last`.
  void count_all_capitals(const AsciiClasses& classes, std::uint64_t solid, std::uint64_t starts,
                          std::uint64_t last) noexcept {
    // A word in capitals has no capital before a small letter; most words with a capital have one.
    const std::uint64_t small = classes.letters & ~classes.capitals;
    const std::uint64_t before_all = lowest(starts) - 1;
    std::uint64_t rest = classes.capitals & ~(small >> 1) & ~last & ~before_all;
    while (rest) {
      const std::uint64_t up_to = rest ^ (rest - 1);  // the lowest bit and those below
      const std::uint64_t end = lowest(~solid & ~up_to);
      const std::uint64_t word = (end - 1) & (~std::uint64_t{0} << (63 - std::countl_zero((starts & up_to) | 1)));
      const std::uint64_t letters = classes.letters & word;
      counts_.all_capitals += letters == (classes.capitals & word) && (letters & (letters - 1));
      rest &= ~word;
    }
  }
  void punctuation(const char* text, std::uint64_t others, unsigned size) noexcept {
    const bool slash_before = slash_;
    slash_ = text[size - 1] == '/';
    if (!others) return;
    std::uint64_t lanes = 0;  // 64 characters at most: no byte overflows
    for (std::uint64_t rest = others; rest; rest &= rest - 1) {
      lanes += kOtherLanes[static_cast<unsigned char>(text[std::countr_zero(rest)])];
    }
    counts_.punctuation += bits(others);
    counts_.separators += lane(lanes, kSeparators);
    counts_.quotes += lane(lanes, kQuotes);
    counts_.at_sign |= lane(lanes, kAtSigns) != 0;
    if (lane(lanes, kSlashes)) {
      counts_.address |=
          (slash_before && text[0] == '/') ||
          (lane(lanes, kSlashes) > 1 && std::string_view(text, size).find("//") != std::string_view::npos);
    }
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

  TextCounts& counts_;  // where they stay: copying them takes as long as counting a line
  std::uint32_t plain_words_ = 0, linked_words_ = 0, weight_ = 0, link_weight_ = 0;
  std::uint32_t word_letters_ = 0, word_capitals_ = 0;
  bool linked_ = false, bold_ = false, link_open_ = false;
  bool inside_ = false, plain_ = false, word_linked_ = false, word_bold_ = false, seen_letter_ = false, slash_ = false;
};

template <auto kClasses, bool kAll>
void count_parts(std::string_view text, std::size_t position, TextMark state, const TextMark* marks,
                 std::size_t mark_count, TextCounts& counts, AsciiClasses& first) noexcept {
  AsciiClasses known = first = kClasses(text.data(), text.size(), position);
  Counter<kAll> counter(counts);
  counter.set(state);
  std::size_t next = 0;
  std::size_t known_from = 0;
  for (std::size_t i = 0; i < text.size();) {
    while (next < mark_count && marks[next].position <= position + i) counter.set(marks[next++]);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == ' ') {
      counter.space();
      ++i;
    } else if (byte < 0x80) {
      const std::size_t end = next < mark_count ? std::min(text.size(), marks[next].position - position) : text.size();
      if (i - known_from >= known.size) {
        known = kClasses(text.data() + i, text.size() - i, position + i);
        known_from = i;
      }
      const auto classes = known.part(i - known_from, end - i);
      counter.ascii(text.data() + i, classes);
      i += classes.size;
    } else {
      const auto decoded = decode_utf8(text, i);
      counter.character(decoded.code_point);
      i += decoded.length;
    }
  }
  counter.finish();
}

#if defined(__x86_64__)
// The same code with instructions that count and find bits and classify 32 characters, which most processors have.
template <bool kAll>
[[gnu::target("avx2,popcnt,bmi,bmi2"), gnu::flatten]] void count_parts_widely(
    std::string_view text, std::size_t position, TextMark state, const TextMark* marks, std::size_t mark_count,
    TextCounts& counts, AsciiClasses& first) noexcept {
  count_parts<wide_ascii_classes, kAll>(text, position, state, marks, mark_count, counts, first);
}
#endif

template <bool kAll>
void count_by_processor(std::string_view text, std::size_t position, TextMark state, const TextMark* marks,
                        std::size_t mark_count, TextCounts& counts, AsciiClasses& first) noexcept {
#if defined(__x86_64__)
  if (has_wide_classes()) {
    return count_parts_widely<kAll>(text, position, state, marks, mark_count, counts, first);
  }
#endif
  count_parts<ascii_classes, kAll>(text, position, state, marks, mark_count, counts, first);
}

}  // namespace

AsciiClasses count_text(std::string_view text, std::size_t position, TextMark state, const TextMark* marks,
                        std::size_t mark_count, bool all, TextCounts& counts) noexcept {
  AsciiClasses first;
  if (all) {
    count_by_processor<true>(text, position, state, marks, mark_count, counts, first);
  } else {
    count_by_processor<false>(text, position, state, marks, mark_count, counts, first);
  }
  return first;
}

}  // namespace corpusprep
