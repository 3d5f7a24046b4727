#include "pages/victor_features.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

enum CharacterKind : std::uint8_t { kLetterKind, kDigitKind, kPunctuationKind, kSymbolKind };

CharacterKind kind_of(char32_t c) noexcept {
  switch (unicode_class(c)) {
    case UnicodeClass::letter:
    case UnicodeClass::mark:
      return kLetterKind;
    case UnicodeClass::number:
      return kDigitKind;
    case UnicodeClass::punctuation:
      return kPunctuationKind;
    default:
      return kSymbolKind;
  }
}

// Counts of the ASCII characters of a token, 16 bits per kind; bit 15 of all: not ASCII.
constexpr std::size_t kLaneBits = 16, kLongestLaneToken = 30000;
constexpr std::uint64_t kNotAscii = std::uint64_t{1} << 63;

const std::array<std::uint64_t, 256>& lanes() {
  static const auto found = [] {
    std::array<std::uint64_t, 256> lane{};
    for (std::size_t c = 0; c < lane.size(); ++c) {
      lane[c] = c < 0x80 ? std::uint64_t{1} << (kLaneBits * kind_of(static_cast<char32_t>(c))) : kNotAscii;
    }
    return lane;
  }();
  return found;
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

constexpr auto kAround = [] {
  std::array<bool, 256> found{};
  for (const char c : std::string_view("()[]<>\"',.;:!?")) found[static_cast<unsigned char>(c)] = true;
  return found;
}();

// The token without brackets, quotation marks and other punctuation around it.
std::string_view bare(std::string_view token) noexcept {
  const auto around = [](char c) { return kAround[static_cast<unsigned char>(c)]; };
  while (!token.empty() && around(token.front())) token.remove_prefix(1);
  while (!token.empty() && around(token.back())) token.remove_suffix(1);
  return token;
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
  if (token.size() > 2 &&
      (begins(token.substr(token.size() - 2), "am") || begins(token.substr(token.size() - 2), "pm"))) {
    token.remove_suffix(2);
  }
  const auto colon = token.find(':');
  if (colon == 0 || colon > 2) return false;
  const auto [hours, minutes, seconds] = three_numbers(token, ':');
  const bool three = token.find(':', colon + 1) != std::string_view::npos;
  return hours == colon && minutes == 2 && seconds == (three ? 2U : 0U);
}

constexpr std::uint32_t first_three(std::string_view word) noexcept {
  std::uint32_t key = 0;
  for (std::size_t i = 0; i < 3; ++i) key = key << 8 | static_cast<unsigned char>(small(word[i]));
  return key;
}

// English names of months, whole or the first three letters.
bool is_month(std::string_view token) noexcept {
  constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                        "may",       "june",     "july",     "august",
                                                        "september", "october",  "november", "december"};
  if (token.size() < 3 || token.size() > 9) return false;
  const auto key = first_three(token);
  return std::ranges::any_of(kMonths, [&](std::string_view month) {
    return key == first_three(month) && (token.size() == 3 || (token.size() == month.size() && begins(token, month)));
  });
}

bool is_web_address(std::string_view token) noexcept {
  return begins(token, "www.") || begins(token, "http://") || begins(token, "https://");
}

// What is looked for in tokens without digits begins with one of these pairs: names of months, www and http.
constexpr auto kCandidates = [] {
  std::array<std::uint32_t, 26> found{};  // by the first letter: a bit per second letter
  for (const std::string_view pair : {"ja", "fe", "ma", "ap", "ju", "au", "se", "oc", "no", "de", "ww", "ht"}) {
    found[static_cast<std::size_t>(pair[0] - 'a')] |= 1U << (pair[1] - 'a');
  }
  return found;
}();

// Returns whether a token without digits may be what is looked for. Punctuation may stand before it.
bool is_candidate(std::string_view token) noexcept {
  const auto letter = [](char c) { return small(c) >= 'a' && small(c) <= 'z'; };
  if (!letter(token.front())) return static_cast<unsigned char>(token.front()) < 0x80;
  return token.size() > 1 && letter(token[1]) &&
         (kCandidates[static_cast<std::size_t>(small(token[0]) - 'a')] >> (small(token[1]) - 'a') & 1);
}

std::uint8_t clip(std::uint64_t count) { return static_cast<std::uint8_t>(std::min<std::uint64_t>(count, 255)); }
std::uint8_t share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<std::uint8_t>(255 * part / whole) : std::uint8_t{0};
}

struct Counts {
  std::array<std::uint64_t, 4> kinds{};   // characters by CharacterKind
  std::array<std::uint32_t, 4> tokens{};  // with letters; digits; both; neither
  std::uint32_t sentences = 0, dates = 0, times = 0, addresses = 0;
  std::uint64_t spaces = 0;
};

class Counter {
 public:
  explicit Counter(std::string_view block) : block_(block) {}

  Counts count() {
    const auto& lane_of = lanes();
    for (std::size_t i = 0; i < block_.size();) {
      if (block_[i] == ' ') {
        ++counts_.spaces;
        ++i;
        continue;
      }
      const std::size_t start = i;
      std::uint64_t lane = 0;
      for (; i < block_.size() && block_[i] != ' '; ++i) {
        const auto one = lane_of[static_cast<unsigned char>(block_[i])];
        if (one == kNotAscii || i - start == kLongestLaneToken) {
          lane = kNotAscii;
          i = std::min(block_.find(' ', i), block_.size());
          break;
        }
        lane += one;
      }
      const auto token = block_.substr(start, i - start);
      if (lane == kNotAscii) {
        any_token(token);
      } else {
        ascii_token(token, lane);
      }
    }
    return counts_;
  }

 private:
  void ascii_token(std::string_view token, std::uint64_t lane) {
    std::array<std::uint64_t, 4> kinds{};
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) kinds[kind] = lane >> (kLaneBits * kind) & 0xFFFF;
    auto last = token.size();
    while (last && is_closing(static_cast<unsigned char>(token[last - 1]))) --last;
    add(token, kinds, last && is_stop(static_cast<unsigned char>(token[last - 1])));
  }

  void any_token(std::string_view token) {
    std::array<std::uint64_t, 4> kinds{};
    bool stop = false;
    for (std::size_t i = 0; i < token.size();) {
      const auto [c, length] = decode_utf8(token, i);
      ++kinds[kind_of(c)];
      if (!is_closing(c)) stop = is_stop(c);
      counts_.sentences += is_ideographic_stop(c);
      i += length;
    }
    add(token, kinds, stop);
  }

  void add(std::string_view token, const std::array<std::uint64_t, 4>& kinds, bool stop) {
    const bool letters = kinds[kLetterKind] > 0, digits = kinds[kDigitKind] > 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) counts_.kinds[kind] += kinds[kind];
    ++counts_.tokens[letters ? (digits ? 2 : 0) : (digits ? 1 : 3)];
    counts_.sentences += stop;
    bool number = false, month = false;
    if (digits) {
      const auto inside = bare(token);
      number = !inside.empty() && is_digit(inside.front());
      counts_.dates += number && (is_date(inside) || month_before_);
      counts_.times += number && is_time(inside);
      counts_.addresses += letters && is_web_address(inside);
    } else if (letters && is_candidate(token)) {
      const auto inside = bare(token);
      month = is_month(inside);
      counts_.dates += month && number_before_;
      counts_.addresses += is_web_address(inside);
    }
    // A month counts if a token beside it begins with a digit.
    month_before_ = month && !number_before_;
    number_before_ = number;
  }

  std::string_view block_;
  Counts counts_;
  bool number_before_ = false, month_before_ = false;
};

bool begins_with_bullet(std::string_view block) noexcept {
  return !block.empty() && is_bullet(decode_utf8(block, 0).code_point);
}

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
    std::uint64_t characters = counts.spaces, tokens = 0;
    for (const auto count : counts.kinds) characters += count;
    for (const auto count : counts.tokens) tokens += count;
    std::uint8_t* value = values + i;
    const auto put = [&](std::uint8_t one) {
      *value = one;
      value += stride;
    };
    put(share(counts.kinds[kLetterKind], characters));
    put(share(counts.spaces, characters));
    put(share(counts.kinds[kSymbolKind], characters));
    for (const auto count : counts.tokens) put(share(count, tokens));
    put(clip(counts.sentences));
    put(clip(words[i] / std::max(1U, counts.sentences)));
    put(clip(counts.dates));
    put(clip(counts.times));
    put(clip(counts.addresses));
    put(begins_with_bullet(block));
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
