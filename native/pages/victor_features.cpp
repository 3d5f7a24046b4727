#include "pages/victor_features.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

enum CharacterKind : std::uint8_t { kLetterKind, kDigitKind, kPunctuationKind, kSpaceKind, kSymbolKind };

CharacterKind kind_of(char32_t c) noexcept {
  switch (unicode_class(c)) {
    case UnicodeClass::letter:
    case UnicodeClass::mark:
      return kLetterKind;
    case UnicodeClass::number:
      return kDigitKind;
    case UnicodeClass::punctuation:
      return kPunctuationKind;
    case UnicodeClass::space:
      return kSpaceKind;
    default:
      return kSymbolKind;
  }
}

const std::array<std::uint8_t, 128>& ascii_kinds() {
  static const auto kinds = [] {
    std::array<std::uint8_t, 128> found{};
    for (std::size_t c = 0; c < found.size(); ++c) found[c] = kind_of(static_cast<char32_t>(c));
    return found;
  }();
  return kinds;
}

constexpr bool is_closing(char32_t c) noexcept {
  return c == '"' || c == '\'' || c == ')' || c == ']' || c == '}' || c == 0xBB || c == 0x2019 || c == 0x201D ||
         c == 0x300D;
}

constexpr bool is_stop(char32_t c) noexcept {
  return c == '.' || c == '!' || c == '?' || c == 0x2026 || c == 0x061F || c == 0x0964;
}

constexpr bool is_ideographic_stop(char32_t c) noexcept { return c == 0x3002 || c == 0xFF01 || c == 0xFF1F; }

constexpr bool is_bullet(char32_t c) noexcept {
  return c == '*' || c == 0x2022 || c == 0xB7 || c == 0x25AA || c == 0x25CF || c == 0x25A0 || c == 0x25BA ||
         c == 0x203A || c == 0xBB || c == 0x2023;
}

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr char small(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool begins(std::string_view token, std::string_view start) noexcept {
  return token.size() >= start.size() &&
         std::equal(start.begin(), start.end(), token.begin(), [](char a, char b) { return a == small(b); });
}

// The token without brackets, quotation marks and other punctuation around it.
std::string_view bare(std::string_view token) noexcept {
  constexpr std::string_view kAround = "()[]<>\"',.;:!?";
  const auto first = token.find_first_not_of(kAround);
  if (first == std::string_view::npos) return {};
  return token.substr(first, token.find_last_not_of(kAround) - first + 1);
}

// Splits at a separator into three numbers; returns their lengths, or zeros if it is something else.
std::array<std::size_t, 3> three_numbers(std::string_view token, char separator) noexcept {
  std::array<std::size_t, 3> lengths{};
  std::size_t part = 0;
  for (const char c : token) {
    if (c == separator) {
      if (++part == lengths.size()) return {};
    } else if (is_digit(c)) {
      ++lengths[part];
    } else {
      return {};
    }
  }
  return lengths;
}

bool is_date(std::string_view token) noexcept {
  if (token.size() < 6 || token.size() > 10 || !is_digit(token.front())) return false;
  const auto at = token.find_first_of("./-");
  if (at == std::string_view::npos) return false;
  const auto [first, second, third] = three_numbers(token, token[at]);
  const auto is_short = [](std::size_t length) { return length == 1 || length == 2; };
  if (!is_short(second)) return false;
  return (is_short(first) && (third == 2 || third == 4)) || (first == 4 && is_short(third));
}

bool is_time(std::string_view token) noexcept {
  if (token.size() > 2 && (begins(token.substr(token.size() - 2), "am") || begins(token.substr(token.size() - 2), "pm"))) {
    token.remove_suffix(2);
  }
  const auto colon = token.find(':');
  if (colon == 0 || colon > 2) return false;
  const auto [hours, minutes, seconds] = three_numbers(token, ':');
  const bool three = token.find(':', colon + 1) != std::string_view::npos;
  return hours == colon && minutes == 2 && seconds == (three ? 2U : 0U);
}

bool is_month(std::string_view token) noexcept {
  constexpr std::array<std::string_view, 12> kMonths = {"january", "february", "march",     "april",   "may",      "june",
                                                        "july",    "august",   "september", "october", "november", "december"};
  if (token.size() < 3 || token.size() > 9) return false;
  return std::ranges::any_of(kMonths, [&](std::string_view month) {
    return begins(token, month.substr(0, 3)) &&
           (token.size() == 3 || (token.size() == month.size() && begins(token, month)));
  });
}

std::uint8_t clip(std::uint64_t count) { return static_cast<std::uint8_t>(std::min<std::uint64_t>(count, 255)); }
std::uint8_t share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<std::uint8_t>(255 * part / whole) : std::uint8_t{0};
}

struct Counts {
  std::array<std::uint32_t, 5> kinds{};   // characters by CharacterKind
  std::array<std::uint32_t, 4> tokens{};  // with letters; digits; both; neither
  std::uint32_t sentences = 0, dates = 0, times = 0, addresses = 0;
  bool bullet = false;
};

class Counter {
 public:
  explicit Counter(std::string_view block) : block_(block) {}

  Counts count() {
    const auto& kinds = ascii_kinds();
    for (std::size_t i = 0; i < block_.size();) {
      char32_t c = static_cast<unsigned char>(block_[i]);
      std::uint32_t length = 1;
      if (c >= 0x80) {
        const auto decoded = decode_utf8(block_, i);
        c = decoded.code_point;
        length = decoded.length;
      }
      const auto kind = c < 0x80 ? static_cast<CharacterKind>(kinds[c]) : kind_of(c);
      if (i == 0) counts_.bullet = is_bullet(c);
      ++counts_.kinds[kind];
      if (kind == kSpaceKind) {
        end_token(i);
        start_ = i + length;
      } else {
        letters_ |= kind == kLetterKind;
        digits_ |= kind == kDigitKind;
        if (!is_closing(c)) stop_ = is_stop(c);
        counts_.sentences += is_ideographic_stop(c);
      }
      i += length;
    }
    end_token(block_.size());
    return counts_;
  }

 private:
  void end_token(std::size_t end) {
    if (end > start_) {
      ++counts_.tokens[letters_ ? (digits_ ? 2 : 0) : (digits_ ? 1 : 3)];
      counts_.sentences += stop_;
      match(bare(block_.substr(start_, end - start_)));
    }
    letters_ = digits_ = stop_ = false;
  }

  // A month counts if a token beside it begins with a digit.
  void match(std::string_view token) {
    const bool number = !token.empty() && is_digit(token.front());
    bool month = false;
    if (number) {
      counts_.dates += is_date(token) || month_before_;
      counts_.times += is_time(token);
    } else if (letters_ && !digits_) {
      month = is_month(token);
      counts_.dates += month && number_before_;
    }
    if (letters_) {
      counts_.addresses += begins(token, "www.") || begins(token, "http://") || begins(token, "https://");
    }
    month_before_ = month && !number_before_;
    number_before_ = number;
  }

  std::string_view block_;
  Counts counts_;
  std::size_t start_ = 0;
  bool letters_ = false, digits_ = false, stop_ = false, number_before_ = false, month_before_ = false;
};

}  // namespace

void victor_features(std::string_view text, const std::int64_t* offsets, const std::uint32_t* words, std::size_t blocks,
                     std::uint8_t* values, std::size_t stride) {
  std::vector<std::pair<std::uint64_t, std::size_t>> texts;
  texts.reserve(blocks);
  std::uint64_t page_sentences = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const auto start = static_cast<std::size_t>(offsets[i]);
    const auto block = text.substr(start, static_cast<std::size_t>(offsets[i + 1]) - start);
    const Counts counts = Counter(block).count();
    std::uint64_t characters = 0, tokens = 0;
    for (const auto count : counts.kinds) characters += count;
    for (const auto count : counts.tokens) tokens += count;
    std::uint8_t* value = values + i;
    const auto put = [&](std::uint8_t one) {
      *value = one;
      value += stride;
    };
    put(share(counts.kinds[kLetterKind], characters));
    put(share(counts.kinds[kSpaceKind], characters));
    put(share(counts.kinds[kSymbolKind], characters));
    for (const auto count : counts.tokens) put(share(count, tokens));
    put(clip(counts.sentences));
    put(clip(words[i] / std::max(1U, counts.sentences)));
    put(clip(counts.dates));
    put(clip(counts.times));
    put(clip(counts.addresses));
    put(counts.bullet);
    page_sentences += counts.sentences;
    texts.emplace_back(word_key(block), i);
  }
  std::ranges::sort(texts);
  std::uint8_t* repeated = values + (kVictorFeatures.size() - 2) * stride;
  std::uint8_t* sentences = repeated + stride;
  std::size_t before = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    before = k && texts[k].first == texts[k - 1].first ? before + 1 : 0;
    repeated[texts[k].second] = clip(before);
    sentences[k] = clip(page_sentences);
  }
}

}  // namespace corpusprep
