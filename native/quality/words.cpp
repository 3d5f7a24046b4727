#include "quality/words.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

namespace {

using Characters = std::span<const PlacedCharacter>;

// Marks that come off both edges, one at a time.
constexpr std::u32string_view kMarks = U"…,:;!?¿؟¡()[]{}<>_#*&。？！，、；：～·।،۔؛٪";
constexpr std::u32string_view kQuotes = U"'\"”“`‘´’‚„»«「」『』（）〔〕【】《》〈〉⟦⟧";
constexpr std::u32string_view kCurrencies = U"$£€¥฿₽﷼₴₠₡₢₣₤₥₦₧₨₩₪₫₭₮₯₰₱₲₳₵₶₷₸₹₺₻₼₾₿";
constexpr std::u32string_view kOnlyBefore = U"§%=—–";
// Units come off behind a digit.
constexpr std::array<std::u32string_view, 67> kUnits = {
    U"km",  U"km²",  U"km³",  U"m",   U"m²",  U"m³", U"dm",   U"dm²", U"dm³", U"cm", U"cm²", U"cm³", U"mm", U"mm²",
    U"mm³", U"ha",   U"µm",   U"nm",  U"yd",  U"in", U"ft",   U"kg",  U"g",   U"mg", U"µg",  U"t",   U"lb", U"oz",
    U"m/s", U"km/h", U"kmh",  U"mph", U"hPa", U"Pa", U"mbar", U"mb",  U"MB",  U"kb", U"KB",  U"gb",  U"GB", U"tb",
    U"TB",  U"T",    U"G",    U"M",   U"K",   U"%",  U"км",   U"м",   U"дм",  U"см", U"мм",  U"нм",  U"кг", U"г",
    U"мг",  U"м/с",  U"км/ч", U"кПа", U"Па",  U"Кб", U"кб",   U"Мб",  U"Гб",  U"ГБ", U"Тб"};

constexpr bool is_digit(char32_t c) noexcept { return c >= '0' && c <= '9'; }

// A lookup for ASCII, and a search beyond it.
class CharacterSet {
 public:
  explicit CharacterSet(std::u32string_view characters) : beyond_(characters) {
    for (const char32_t c : characters) {
      if (c < 0x80) ascii_[c] = true;
    }
    std::erase_if(beyond_, [](char32_t c) { return c < 0x80; });
    std::ranges::sort(beyond_);
  }
  bool has(char32_t c) const noexcept { return c < 0x80 ? ascii_[c] : std::ranges::binary_search(beyond_, c); }

 private:
  std::array<bool, 0x80> ascii_{};
  std::u32string beyond_;
};

const CharacterSet& marks() {
  static const CharacterSet set{kMarks};
  return set;
}
const CharacterSet& quotes() {
  static const CharacterSet set{kQuotes};
  return set;
}
const CharacterSet& currencies() {
  static const CharacterSet set{kCurrencies};
  return set;
}
const CharacterSet& only_before() {
  static const CharacterSet set{kOnlyBefore};
  return set;
}

bool is_letter(char32_t c) noexcept {
  return c < 0x80 ? (c | 0x20) - 'a' < 26 : unicode_class(c) == UnicodeClass::letter;
}
// Letters without case count as both.
bool is_small(char32_t c) noexcept {
  return c < 0x80 ? c - 'a' < 26 : unicode_class(c) == UnicodeClass::letter && !detail::has_small_letter(c);
}
bool is_capital(char32_t c) noexcept {
  if (c < 0x80) return c - 'A' < 26;
  if (unicode_class(c) != UnicodeClass::letter) return false;
  if (detail::has_small_letter(c)) return true;
  return title(std::u32string_view{&c, 1}) == std::u32string_view{&c, 1};
}
// Signs and pictures, not of mathematics or money.
bool is_picture(char32_t c) noexcept {
  if (c < 0xA6) return false;
  if (c == 0xA6 || c == 0xA9 || c == 0xAE || c == 0xB0 || c == 0x482) return true;
  if (c < 0x2100) return false;
  if (c == 0x2190 || c == 0x2191 || c == 0x2192 || c == 0x2193 || c == 0x2194) return false;
  return (in_range(c, 0x2100, 0x214F) || in_range(c, 0x2195, 0x21FF) || in_range(c, 0x2300, 0x27BF) ||
          in_range(c, 0x2800, 0x28FF) || in_range(c, 0x2B00, 0x2BFF) || in_range(c, 0x3004, 0x3037) ||
          in_range(c, 0x3200, 0x33FF) || in_range(c, 0xFFE4, 0xFFFD) || in_range(c, 0x1D000, 0x1D245) ||
          in_range(c, 0x1F000, 0x1FA6D)) &&
         unicode_class(c) == UnicodeClass::symbol && !in_range(c, 0x25B7, 0x25B7) && c != 0x25C1 && c != 0x266F;
}

// The number of characters that come off the front.
std::size_t prefix(Characters piece) noexcept {
  const auto at = [&](std::size_t i) { return i < piece.size() ? piece[i].code_point : U'\0'; };
  const char32_t first = at(0);
  if (marks().has(first) || quotes().has(first) || only_before().has(first) || currencies().has(first)) return 1;
  if (first == '+' && !is_digit(at(1))) return 1;
  if (first == '.') {
    std::size_t dots = 1;
    while (at(dots) == '.') ++dots;
    return dots > 1 ? dots : 0;
  }
  if (first == 'U' && at(1) == 'S' && at(2) == '$') return 3;
  if ((first == 'C' || first == 'A') && at(1) == '$') return 2;
  return is_picture(first) ? 1 : 0;
}

// The number of characters of the longest thing that comes off the end.
std::size_t suffix(Characters piece, const Splitting& splitting) noexcept {
  const std::size_t size = piece.size();
  const auto back = [&](std::size_t i) { return i <= size ? piece[size - i].code_point : U'\0'; };
  const char32_t last = back(1);
  if (last == '.') {
    std::size_t dots = 1;
    while (back(dots + 1) == '.') ++dots;
    if (dots > 1) return dots;
    const char32_t before = back(2);
    if (size < 2) return 0;
    if ((is_digit(before) && !splitting.ordinals) || is_small(before) || before == '%' || before == U'²' ||
        before == '-' || before == '+' || before == '|' || marks().has(before) || quotes().has(before)) {
      return 1;
    }
    if (size > 2 && is_capital(before) && is_capital(back(3))) return 1;
    return size > 2 && back(3) == U'°' && (before == 'F' || before == 'C' || before == 'K') ? 1 : 0;
  }
  if (last == U'…' && back(2) == U'…') return 2;
  if ((last == 's' || last == 'S') && (back(2) == '\'' || back(2) == U'’')) return 2;
  // The longest unit behind a digit.
  std::size_t unit = 0;
  for (const std::u32string_view name : kUnits) {
    if (name.back() != last || name.size() >= size || name.size() <= unit || !is_digit(back(name.size() + 1))) continue;
    bool equal = true;
    for (std::size_t i = 0; equal && i < name.size(); ++i) equal = back(name.size() - i) == name[i];
    if (equal) unit = name.size();
  }
  if (unit != 0) return unit;
  if (last == '$' && size > 3 && back(2) == 'S' && back(3) == 'U' && is_digit(back(4))) return 3;
  if (last == '$' && size > 2 && (back(2) == 'C' || back(2) == 'A') && is_digit(back(3))) return 2;
  if (size > 1 && is_digit(back(2)) && (last == '+' || currencies().has(last))) return 1;
  if (marks().has(last) || quotes().has(last) || last == U'—' || last == U'–') return 1;
  return is_picture(last) ? 1 : 0;
}

// The number of characters at `place` that divide the piece there.
std::size_t infix(Characters piece, std::size_t place, const Splitting& splitting) noexcept {
  const auto at = [&](std::size_t i) { return i < piece.size() ? piece[i].code_point : U'\0'; };
  const char32_t c = at(place), before = place == 0 ? U'\0' : at(place - 1), after = at(place + 1);
  if (c == '.') {
    std::size_t dots = 1;
    while (at(place + dots) == '.') ++dots;
    if (dots > 1) return dots;
    return (is_small(before) || quotes().has(before)) && (is_capital(after) || quotes().has(after)) ? 1 : 0;
  }
  if (c == U'…' || is_picture(c)) return 1;
  if ((c == '+' || c == '-' || c == '*' || c == '^') && is_digit(before) && (is_digit(after) || after == '-')) return 1;
  if (c == ',') return is_letter(before) && is_letter(after) ? 1 : 0;
  if (!is_letter(before) && !is_digit(before)) return 0;
  if (c == ':' || c == '<' || c == '>' || c == '=' || c == '/') return is_letter(after) ? 1 : 0;
  if (c != '-' && c != U'—' && c != U'–' && c != '~') return 0;
  if (!is_letter(before) && splitting.hyphens != Splitting::Hyphens::behind_digits) return 0;
  std::size_t dashes = 1;
  if (c == '-' || c == U'—') {
    while (dashes < (c == '-' ? 3U : 2U) && at(place + dashes) == c) ++dashes;
  }
  if (dashes == 1 && splitting.hyphens == Splitting::Hyphens::stay) return 0;
  return is_letter(at(place + dashes)) ? dashes : 0;
}

// Returns whether a word ends behind an apostrophe, before the letter at `place`.
bool elided(Characters piece, std::size_t place) noexcept {
  if (place < 2 || !is_letter(piece[place].code_point) || !is_letter(piece[place - 2].code_point)) return false;
  const char32_t before = piece[place - 1].code_point;
  return before == '\'' || before == U'’';
}

bool host_character(char32_t c) noexcept {
  return is_digit(c) || (c < 0x80 ? is_letter(c) : in_range(c, 0xA1, 0xFFFF));
}

// A host: labels with dots between, the last one of small letters; or the four numbers of a public IP address.
bool is_host(Characters host) noexcept {
  std::size_t begin = 0;
  bool several = false;
  std::array<int, 4> numbers{};
  std::size_t counted = 0;
  bool numeric = true;
  for (std::size_t place = 0; place <= host.size(); ++place) {
    if (place < host.size() && host[place].code_point != '.') continue;
    const Characters label = host.subspan(begin, place - begin);
    if (label.empty()) return false;
    int number = 0;
    for (const auto& character : label) {
      numeric = numeric && is_digit(character.code_point) && label.size() <= 3;
      if (numeric) number = 10 * number + static_cast<int>(character.code_point - '0');
    }
    if (numeric && counted < numbers.size()) numbers[counted] = number;
    ++counted;
    if (place == host.size()) {
      const bool small = std::ranges::all_of(label, [](const auto& c) { return is_small(c.code_point); });
      if (several && small && label.size() >= 2 && label.size() <= 63) return true;
      if (!numeric || counted != 4) return false;
      const auto [a, b, c, d] = numbers;
      const bool local =
          a == 10 || a == 127 || (a == 169 && b == 254) || (a == 192 && b == 168) || (a == 172 && b >= 16 && b <= 31);
      return !local && a >= 1 && a <= 223 && b <= 255 && c <= 255 && d >= 1 && d <= 254;
    }
    if (label.size() > 64 || !host_character(label.front().code_point) || !host_character(label.back().code_point)) {
      return false;
    }
    for (const auto& character : label) {
      const char32_t c = character.code_point;
      if (!host_character(c) && c != '-' && c != '_') return false;
    }
    several = true;
    begin = place + 1;
  }
  return false;
}

// What follows a scheme and a user: host, port, path.
bool is_address_rest(Characters rest) noexcept {
  std::size_t end = 0;
  const auto at = [&](std::size_t i) { return rest[i].code_point; };
  const auto path = [&](std::size_t i) { return at(i) == '/' || at(i) == '?' || at(i) == '#'; };
  while (end < rest.size() && at(end) != ':' && !path(end)) ++end;
  if (!is_host(rest.first(end))) return false;
  if (end < rest.size() && at(end) == ':') {
    const std::size_t port = ++end;
    while (end < rest.size() && is_digit(at(end))) ++end;
    if (end - port < 2 || end - port > 5) return false;
  }
  return end == rest.size() || path(end);
}

bool is_address(Characters piece) noexcept {
  if (std::ranges::none_of(piece, [](const auto& c) { return c.code_point == '.'; })) return false;
  std::size_t start = 0;
  for (std::size_t i = 2; i + 2 < piece.size(); ++i) {
    if (piece[i].code_point == ':' && piece[i + 1].code_point == '/' && piece[i + 2].code_point == '/') {
      const bool scheme = std::ranges::all_of(piece.first(i), [](const auto& placed) {
        const char32_t c = placed.code_point;
        const auto kind = unicode_class(c);
        return kind == UnicodeClass::letter || kind == UnicodeClass::number || c == '_' || c == '+' || c == '-' ||
               c == '.';
      });
      if (scheme) start = i + 3;
      break;
    }
  }
  const Characters rest = piece.subspan(start);
  if (is_address_rest(rest)) return true;
  for (std::size_t i = rest.size(); i > 1; --i) {
    if (rest[i - 1].code_point == '@' && is_address_rest(rest.subspan(i))) return true;
  }
  return false;
}

}  // namespace

WordSplitter::WordSplitter(const std::vector<std::vector<std::string>>& exceptions, Splitting splitting)
    : splitting_(splitting) {
  for (const auto& parts : exceptions) {
    std::string whole;
    Ends ends;
    for (const std::string& part : parts) {
      if (part.empty()) throw std::invalid_argument("an exception has an empty part");
      whole += part;
      ends.push_back(static_cast<std::uint32_t>(whole.size()));
    }
    if (whole.empty()) throw std::invalid_argument("an exception has no part");
    longest_ = std::max(longest_, whole.size());
    marked_[mark_of(whole)] = true;
    exceptions_.try_emplace(std::move(whole), std::move(ends));
  }
}

void WordSplitter::cut(std::string_view piece, std::vector<PlacedCharacter>& characters, Ends& ends) const {
  characters.clear();
  for (std::size_t place = 0; place < piece.size();) {
    const auto character = decode_utf8(piece, place);
    characters.push_back({character.code_point, static_cast<std::uint32_t>(place)});
    place += character.length;
  }
  const auto byte = [&](std::size_t i) {
    return i < characters.size() ? characters[i].begin : static_cast<std::uint32_t>(piece.size());
  };
  std::size_t first = 0, last = characters.size();
  const auto left = [&](std::size_t from, std::size_t to) { return piece.substr(byte(from), byte(to) - byte(from)); };
  Ends behind;  // ends of what came off the end, the last one first
  const Ends* parts = nullptr;
  while (first < last) {
    parts = exception(left(first, last));
    if (parts != nullptr) break;
    const Characters rest{characters.data() + first, last - first};
    const std::size_t before = prefix(rest);
    if (before != 0 && before < rest.size()) {
      parts = exception(left(first + before, last));
      if (parts != nullptr) {
        first += before;
        ends.push_back(byte(first));
        break;
      }
    }
    const std::size_t after = suffix(rest.subspan(before), splitting_);
    if (after != 0 && after < rest.size()) {
      parts = exception(left(first, last - after));
      if (parts != nullptr) {
        behind.push_back(byte(last));
        last -= after;
        break;
      }
    }
    if (before == 0 && after == 0) break;
    if (before != 0) {
      first += before;
      ends.push_back(byte(first));
    }
    if (after != 0) {
      behind.push_back(byte(last));
      last -= after;
    }
  }
  if (parts != nullptr) {
    for (const std::uint32_t end : *parts) ends.push_back(byte(first) + end);
  } else if (first < last) {
    const Characters rest{characters.data() + first, last - first};
    if (!is_address(rest)) {
      std::size_t start = 0;
      for (std::size_t place = 0; place < rest.size();) {
        if (splitting_.elision && place != start && elided(rest, place)) {
          ends.push_back(byte(first + place));
          start = place;
        }
        const std::size_t size = infix(rest, place, splitting_);
        if (size != 0 && place != 0) {
          if (place != start) ends.push_back(byte(first + place));
          start = place + size;
          ends.push_back(byte(first + start));
        }
        place += std::max<std::size_t>(size, 1);
      }
      if (start < rest.size()) ends.push_back(byte(last));
    } else {
      ends.push_back(byte(last));
    }
  }
  ends.insert(ends.end(), behind.rbegin(), behind.rend());
}

}  // namespace corpusprep
