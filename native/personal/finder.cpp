#include "personal/finder.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "personal/identity_checks.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

namespace {

constexpr std::size_t kLongestLocal = 64, kLongestDomain = 190;  // characters of an address (RFC 5321, 4.5.3.1)
constexpr std::size_t kMostGroups = 8, kMostDigits = 24;
constexpr std::size_t kWordReach = 28;  // characters before a number in which words count
constexpr std::size_t kNextReach = 6;   // most characters between two telephone numbers of a list
constexpr std::u32string_view kCurrencies = U"$£€¥₽₺₹%°";
constexpr std::array<std::u32string_view, 9> kEndingsOfFiles = {U"png", U"jpg",  U"jpeg", U"gif", U"svg",
                                                                U"css", U"webp", U"js",   U"php"};

constexpr bool is_digit(char32_t c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_capital(char32_t c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr bool is_ascii_letter(char32_t c) noexcept { return is_capital(c) || (c >= 'a' && c <= 'z'); }
constexpr bool is_hex(char32_t c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Letters of scripts that put spaces between words; marks of punctuation among them are few.
constexpr bool is_far_letter(char32_t c) noexcept {
  return c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7 && c != 0x60C && c != 0x61B && c != 0x61F && c != 0x964 &&
         c != 0x965;
}
constexpr bool is_word(char32_t c) noexcept {
  return is_digit(c) || is_ascii_letter(c) || c == '_' || is_far_letter(c);
}
constexpr bool is_domain(char32_t c) noexcept {
  return is_digit(c) || is_ascii_letter(c) || c == '-' || is_far_letter(c);
}
constexpr bool is_local(char32_t c) noexcept {
  return is_digit(c) || is_ascii_letter(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-' || c == '\'' ||
         is_far_letter(c);
}

// Digits, spaces and marks of all scripts as those of ASCII.
constexpr char32_t plain(char32_t c) noexcept {
  if (c < 0xA0) return c;
  if (c == 0xA0 || (c >= 0x2007 && c <= 0x200A) || c == 0x202F || c == 0x3000) return ' ';
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212) return '-';
  if (c >= 0x660 && c <= 0x669) return c - 0x660 + '0';
  if (c >= 0x6F0 && c <= 0x6F9) return c - 0x6F0 + '0';
  if (c >= 0x966 && c <= 0x96F) return c - 0x966 + '0';
  if (c >= 0xFF01 && c <= 0xFF5E) return c - 0xFF01 + '!';
  return c;
}

bool is_currency(char32_t c) noexcept { return kCurrencies.find(c) != std::u32string_view::npos; }

// Whether a text has `word` at a place, in any case; ASCII.
bool has(std::u32string_view text, std::size_t place, std::string_view word) noexcept {
  if (place + word.size() > text.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char32_t c = text[place + i];
    if ((is_capital(c) ? c + 32 : c) != static_cast<unsigned char>(word[i])) return false;
  }
  return true;
}

// The end of `word` in brackets at a place, with up to one space on each side; 0 if it is not there.
std::size_t in_brackets(std::u32string_view text, std::size_t place, std::initializer_list<std::string_view> words) {
  if (place < text.size() && text[place] == ' ') ++place;
  if (place >= text.size() || (text[place] != '(' && text[place] != '[' && text[place] != '{')) return 0;
  const char32_t close = text[place] == '(' ? ')' : text[place] == '[' ? ']' : '}';
  for (const std::string_view word : words) {
    const std::size_t end = place + 1 + word.size();
    if (has(text, place + 1, word) && end < text.size() && text[end] == close) {
      return end + 1 + (end + 1 < text.size() && text[end + 1] == ' ');
    }
  }
  return 0;
}

// Groups of lengths that are a date or years.
bool is_date(const std::string& digits, const std::vector<std::size_t>& sizes) noexcept {
  if (sizes.size() == 3) {
    const auto part = [&](std::size_t begin, std::size_t size) {
      return size == 1 ? digits[begin] - '0' : 10 * (digits[begin] - '0') + digits[begin + 1] - '0';
    };
    const auto day_and_month = [&](std::size_t first) {
      const std::size_t begin = first == 0 ? 0 : sizes[0];
      const int a = part(begin, sizes[first]), b = part(begin + sizes[first], sizes[first + 1]);
      return std::min(a, b) <= 12 && std::max(a, b) <= 31;
    };
    const bool year_last = sizes[0] <= 2 && sizes[1] <= 2 && (sizes[2] == 2 || sizes[2] == 4);
    const bool year_first = (sizes[0] == 2 || sizes[0] == 4) && sizes[1] <= 2 && sizes[2] <= 2;
    return (year_last && day_and_month(0)) || (year_first && day_and_month(1));
  }
  const auto year = [&](std::size_t place) {
    const std::string_view century = std::string_view(digits).substr(place, 2);
    return century >= "15" && century <= "20";
  };
  if (sizes.size() == 2 && sizes[0] == 4 && sizes[1] == 4) return year(0) && year(4);
  if (sizes.size() == 1 && sizes[0] == 8) {  // 20240131, 31012024
    const auto part = [&](std::size_t place) { return 10 * (digits[place] - '0') + digits[place + 1] - '0'; };
    return (year(0) && part(4) <= 12 && part(6) <= 31) || (year(4) && part(0) <= 31 && part(2) <= 12);
  }
  return false;
}

std::string shape_of(const std::vector<std::size_t>& sizes) {
  std::string shape;
  for (const std::size_t size : sizes) shape += (shape.empty() ? "" : "-") + std::to_string(size);
  return shape;
}

PersonalPlace place_of(PersonalKind kind, std::size_t start, std::size_t end) noexcept {
  return {kind, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)};
}

bool is_brand(std::string_view d) noexcept {
  const auto prefix = [&](std::size_t size) {
    int number = 0;
    for (const char c : d.substr(0, size)) number = 10 * number + (c - '0');
    return number;
  };
  const int two = prefix(2), three = prefix(3), four = prefix(4);
  if (d[0] == '4') return d.size() == 16 || d.size() == 19;  // those of 13 are articles (EAN)
  if (two == 34 || two == 37) return d.size() == 15;
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return d.size() == 16;
  if (four == 6011 || two == 65 || (three >= 644 && three <= 649)) return d.size() == 16;
  if (four >= 3528 && four <= 3589) return d.size() == 16;
  if ((three >= 300 && three <= 305) || two == 36 || two == 38) return d.size() == 14;
  return two == 62 && d.size() >= 16;
}

}  // namespace

PersonalFinder::PersonalFinder(PersonalRules rules) : rules_(std::move(rules)) {
  if (rules_.phones.size() > 64 || rules_.identities.size() > 64) throw std::invalid_argument("more than 64 countries");
}

// Whether a number may start at a place: no word, number, price or address goes on there. Behind a digit and spaces, it
// is the tail of a longer number, unless that ended a place.
bool PersonalFinder::starts(std::size_t place) const noexcept {
  if (place == 0) return true;
  const char32_t before = text_[place - 1];
  if (is_word(before) || is_currency(before)) return false;
  std::size_t last = place;
  while (last > floor_ && place - last < 2 && text_[last - 1] == ' ') --last;
  if (last < place && last > floor_ && is_digit(text_[last - 1])) return false;
  const bool joint = before == '.' || before == ',' || before == '-' || before == ':' || before == '\'';
  if (joint && place > 1) {
    const char32_t further = text_[place - 2];
    return !is_digit(further) && (before != '-' || !is_word(further));
  }
  return before != '/' && before != '=' && before != '#' && before != '@' && before != '&' && before != '\\' &&
         before != '+';
}

bool PersonalFinder::ends(std::size_t place) const noexcept {
  const char32_t after = at(place);
  if (is_word(after) || is_currency(after) || after == '@' || after == '=') return false;
  if (after == ' ' && is_currency(at(place + 1))) return false;
  const bool joint = after == '.' || after == ',' || after == '-' || after == ':' || after == '/';
  return !joint || !is_digit(at(place + 1));
}

// Whether one of the words is in the characters before a place. Ends of lines divide; so do digits, unless the word is
// about several numbers (`across`).
bool PersonalFinder::said(const std::vector<std::u32string>& words, std::size_t place, bool across) const {
  std::size_t begin = place;
  while (begin > 0 && place - begin < kWordReach && text_[begin - 1] != '\n' &&
         (across || !is_digit(text_[begin - 1]))) {
    --begin;
  }
  std::u32string window;
  for (std::size_t i = begin; i < place; ++i) window += lower(text_[i]);
  for (std::size_t i = 0; i < window.size(); ++i) {
    const bool inside = begin + i > 0 && is_word(text_[begin + i - 1]) && is_word(window[i]);
    if (inside) continue;
    for (const std::u32string& word : words) {
      const bool open = word.back() == '*';
      const auto bare = std::u32string_view(word).substr(0, word.size() - open);
      if (std::u32string_view(window).substr(i, bare.size()) != bare) continue;
      const std::size_t end = i + bare.size();
      if (open || end == window.size() || !is_word(window[end]) || !is_word(bare.back())) return true;
    }
  }
  return false;
}

PersonalFinder::Number PersonalFinder::number(std::size_t place) const {
  Number found;
  if (at(place) == '(') {
    found.bracket = true;
    ++place;
  }
  if (at(place) == '+') {
    found.plus = true;
    ++place;
    if (at(place) == '(') ++place;
  }
  while (found.sizes.size() < kMostGroups) {
    std::size_t end = place;
    while (is_digit(at(end)) && end - place <= kMostDigits) ++end;
    if (end == place || found.digits.size() + end - place > kMostDigits) break;
    for (std::size_t i = place; i < end; ++i) found.digits += static_cast<char>(text_[i]);
    found.ends.push_back(end);
    found.sizes.push_back(end - place);
    if (end - place == 1 && text_[place] == '0' && place > 0 && text_[place - 1] == '(' && at(end) == ')') {
      found.zero = found.sizes.size();
    }
    // What joins two groups: a mark with spaces around it, a bracket with a mark, or spaces.
    char joint = ' ';
    std::size_t next = end, marks = 0, spaces = 0, brackets = 0;
    for (; next - end < 4; ++next) {
      const char32_t c = at(next);
      if (c == ' ') {
        ++spaces;
      } else if (c == '-' || c == '.' || c == '/') {
        ++marks;
        if (joint == ' ') joint = static_cast<char>(c);
      } else if (c == '(' || c == ')') {
        ++brackets;
        joint = static_cast<char>(c);
      } else {
        break;
      }
    }
    if (next == end || marks > 1 || spaces > 2 || brackets > 1 || !is_digit(at(next))) break;
    found.joints += joint;
    place = next;
  }
  found.joints.resize(found.sizes.empty() ? 0 : std::min(found.joints.size(), found.sizes.size() - 1));
  return found;
}

std::size_t PersonalFinder::email(std::size_t at_sign, std::size_t& start) const {
  std::size_t local = at_sign, domain = at_sign + 1;
  const bool hidden = text_[at_sign] != '@';
  if (hidden) {
    domain = in_brackets(text_, at_sign, {"at", "ät"});
    if (domain == 0) return 0;
    if (local > floor_ && text_[local - 1] == ' ') --local;
  }
  const std::size_t end_of_local = local;
  while (local > floor_ && end_of_local - local < kLongestLocal && is_local(text_[local - 1])) --local;
  while (local < end_of_local && (text_[local] == '.' || text_[local] == '\'' || text_[local] == '-')) ++local;
  if (local == end_of_local || text_[end_of_local - 1] == '.') return 0;
  start = local;
  std::size_t best = 0, labels = 0;
  for (std::size_t place = domain; place - domain < kLongestDomain;) {
    std::size_t end = place;
    bool letters = true;
    while (is_domain(at(end)) && end - place < 63) {
      letters = letters && !is_digit(text_[end]) && text_[end] != '-';
      ++end;
    }
    if (end == place) break;
    ++labels;
    const auto label = std::u32string_view(text_).substr(place, end - place);
    const bool top = (letters && label.size() >= 2 && label.size() <= 24) || has(text_, place, "xn--");
    if (labels > 1 && top && std::ranges::find(kEndingsOfFiles, label) == kEndingsOfFiles.end()) best = end;
    if (at(end) == '.' && is_domain(at(end + 1))) {
      place = end + 1;
    } else {
      place = hidden ? in_brackets(text_, end, {"dot", "punkt", "point", "punto"}) : 0;
      if (place == 0) break;
    }
  }
  return best;
}

std::size_t PersonalFinder::ip4(std::size_t place) const {
  std::array<int, 4> parts{};
  std::size_t end = place;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i != 0 && at(end++) != '.') return 0;
    const std::size_t begin = end;
    while (is_digit(at(end)) && end - begin < 4) parts[i] = 10 * parts[i] + static_cast<int>(text_[end++] - '0');
    if (end == begin || end - begin > 3 || parts[i] > 255 || (end - begin > 1 && text_[begin] == '0')) return 0;
  }
  const auto [a, b, c, d] = parts;
  const bool local = a == 0 || a == 10 || a == 127 || a >= 224 || (a == 169 && b == 254) || (a == 192 && b == 168) ||
                     (a == 172 && b >= 16 && b <= 31);
  if (local || is_word(at(end)) || (at(end) == '.' && is_digit(at(end + 1)))) return 0;
  const char32_t before = place == 0 ? U' ' : text_[place - 1];
  if (is_word(before) || before == '.' || before == '-' || said(rules_.version_words, place, true)) return 0;
  // Four small numbers are a version or a section, unless a word says what they are, or they are equal (8.8.8.8).
  const bool small = std::max({a, b, c, d}) < 20 && (a != b || b != c || c != d);
  return small && !said(rules_.ip_words, place) ? 0 : end;
}

// Global unicast addresses only: 2000::/3 (RFC 4291, 2.4).
std::size_t PersonalFinder::ip6(std::size_t place) const {
  if ((text_[place] != '2' && text_[place] != '3') || at(place + 4) != ':') return 0;
  if (place > 0 && (is_word(text_[place - 1]) || text_[place - 1] == ':')) return 0;
  std::size_t end = place, groups = 0;
  bool gap = false;
  while (groups < 8) {
    const std::size_t begin = end;
    while (is_hex(at(end)) && end - begin < 4) ++end;
    if (end == begin) break;
    ++groups;
    if (at(end) != ':' || groups == 8) break;
    if (at(end + 1) == ':') {
      if (gap) return 0;
      gap = true;
      end += 2;
    } else if (is_hex(at(end + 1))) {
      ++end;
    } else {
      break;
    }
  }
  if (is_word(at(end)) || (at(end) == ':' && is_hex(at(end + 1)))) return 0;
  return groups == 8 ? (gap ? 0 : end) : (gap && groups >= 3 ? end : 0);
}

std::size_t PersonalFinder::iban(std::size_t place) const {
  if (place < 2 || !is_capital(text_[place - 1]) || !is_capital(text_[place - 2])) return 0;
  if (place > 2 && is_word(text_[place - 3])) return 0;
  const std::string country{static_cast<char>(text_[place - 2]), static_cast<char>(text_[place - 1])};
  const auto known = rules_.iban_lengths.find(country);
  if (known == rules_.iban_lengths.end()) return 0;
  std::string characters = country;
  std::size_t end = place;
  while (characters.size() < known->second) {
    if (at(end) == ' ' && end > place) ++end;
    const char32_t c = at(end);
    if (!is_digit(c) && !is_capital(c)) return 0;
    characters += static_cast<char>(c);
    ++end;
  }
  if (is_word(at(end))) return 0;
  int rest = 0;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char c = characters[(i + 4) % characters.size()];
    rest = c <= '9' ? (10 * rest + c - '0') % 97 : (100 * rest + c - 'A' + 10) % 97;
  }
  return rest == 1 ? end : 0;
}

std::size_t PersonalFinder::card(const Number& number) const {
  if (number.plus || number.bracket || number.sizes.empty()) return 0;
  std::size_t groups = 1;
  if (number.sizes[0] == 4) {
    const auto sizes = std::vector<std::size_t>(number.sizes.begin(), number.sizes.end());
    const auto begins = [&](std::initializer_list<std::size_t> shape) {
      return sizes.size() >= shape.size() && std::equal(shape.begin(), shape.end(), sizes.begin());
    };
    groups = begins({4, 4, 4, 4}) ? 4 : begins({4, 6, 5}) || begins({4, 6, 4}) ? 3 : 0;
    if (groups == 0) return 0;
    const char joint = number.joints[0];
    if (joint != ' ' && joint != '-') return 0;
    if (number.joints.find_first_not_of(joint) < groups - 1) return 0;
  }
  std::size_t size = 0;
  for (std::size_t i = 0; i < groups; ++i) size += number.sizes[i];
  if (size < 13 || size > 19) return 0;
  const std::string digits = number.digits.substr(0, size);
  const std::size_t end = number.ends[groups - 1];
  if (is_word(at(end)) || (at(end) == '.' && is_digit(at(end + 1)))) return 0;
  return is_brand(digits) && meets_luhn(digits) ? end : 0;
}

std::size_t PersonalFinder::identity(std::size_t begin, std::uint64_t countries) const {
  if (begin > 0 && (is_word(text_[begin - 1]) || ((text_[begin - 1] == '.' || text_[begin - 1] == '-') && begin > 1 &&
                                                  is_digit(text_[begin - 2])))) {
    return 0;
  }
  std::string characters;
  for (std::size_t country = 0; country < rules_.identities.size(); ++country) {
    if ((countries >> country & 1) == 0) continue;
    for (const IdentityForm& form : rules_.identities[country]) {
      if ((form.pattern[0] == 'A') != is_capital(text_[begin])) continue;
      characters.clear();
      std::size_t end = begin;
      bool fits = true;
      for (const char32_t wanted : form.pattern) {
        const char32_t c = at(end);
        if (wanted == ' ') {
          end += c == ' ';
          continue;
        }
        const bool place_of_digit = wanted == '9' || wanted == '?', place_of_letter = wanted == 'A' || wanted == '?';
        fits = place_of_digit || place_of_letter ? (place_of_digit && is_digit(c)) || (place_of_letter && is_capital(c))
                                                 : c == wanted;
        if (!fits) break;
        if (place_of_digit || place_of_letter) characters += static_cast<char>(c);
        ++end;
      }
      if (!fits || is_word(at(end)) ||
          ((at(end) == '.' || at(end) == '-' || at(end) == '/') && is_digit(at(end + 1)))) {
        continue;
      }
      if (meets_identity_check(characters, form.check)) return end;
    }
  }
  return 0;
}

// A number with the code of a country behind + or 00. Groups that would make it too long are left out.
std::size_t PersonalFinder::international(std::size_t place, const Number& number) const {
  if (number.sizes.empty() || (place > 0 && is_word(text_[place - 1]))) return 0;
  const std::size_t prefix = number.plus ? 0 : 2;
  if (!number.plus && (!number.digits.starts_with("00") || number.sizes[0] == 1 || !starts(place))) return 0;
  if (!number.plus && said(rules_.other_words, place) && !said(rules_.phone_words, place)) return 0;
  for (std::size_t size = 3; size > 0; --size) {
    if (number.digits.size() < prefix + size) continue;
    const auto code = rules_.calling_codes.find(number.digits.substr(prefix, size));
    if (code == rules_.calling_codes.end()) continue;
    std::size_t digits = 0;
    for (const std::size_t each : number.sizes) digits += each;
    for (std::size_t groups = number.sizes.size(); groups > 0; --groups) {
      const bool zero = number.zero != 0 && number.zero <= groups;
      const auto [least, most] = code->second;
      const std::size_t counted = digits - std::min(digits, prefix + size + (zero ? 1 : 0));
      if (counted >= least && counted <= most) {
        const bool whole = groups == number.sizes.size();
        const bool divided = number.plus || groups > 1;
        return divided && (!whole || ends(number.ends[groups - 1])) ? number.ends[groups - 1] : 0;
      }
      digits -= number.sizes[groups - 1];
    }
    return 0;
  }
  return 0;
}

std::size_t PersonalFinder::national(std::size_t place, const Number& number, std::uint64_t countries) const {
  const std::size_t size = number.digits.size(), groups = number.sizes.size();
  if (number.plus || size < 6 || size > 13 || groups > 6 || !starts(place) || !ends(number.ends.back())) return 0;
  if (is_date(number.digits, number.sizes)) return 0;
  const auto dots = static_cast<std::size_t>(std::ranges::count(number.joints, '.'));
  if (dots != 0 && (dots + 1 != groups || groups < 3)) return 0;
  if (said(rules_.phone_words, place)) return number.ends.back();
  // Behind a telephone number and a mark or a short word: another one, perhaps without its area code.
  if (after_phone_ && place - floor_ <= kNextReach && (groups > 1 || size > 6)) {
    const auto between = std::u32string_view(text_).substr(floor_, place - floor_);
    if (std::ranges::none_of(between, [](char32_t c) { return c == '\n' || is_digit(c) || is_currency(c); })) {
      return number.ends.back();
    }
  }
  if (groups < 2 || said(rules_.other_words, place)) return 0;
  const std::string shape = shape_of(number.sizes);
  for (std::size_t country = 0; country < rules_.phones.size(); ++country) {
    const PhoneForm& form = rules_.phones[country];
    if ((countries >> country & 1) == 0 || size < form.least || size > form.most) continue;
    if (std::ranges::find(form.shapes, shape) != form.shapes.end() &&
        form.firsts.find(number.digits[0]) != std::string::npos) {
      return number.ends.back();
    }
    // Behind the trunk comes no zero; a group of one digit is the trunk itself.
    const std::size_t trunk = form.trunk.size();
    if (trunk != 0 && number.digits.starts_with(form.trunk) && number.digits[trunk] != '0' &&
        (dots == 0 || groups > 3) &&
        std::ranges::find(number.sizes.begin() + 1, number.sizes.end(), 1U) == number.sizes.end()) {
      return number.ends.back();
    }
  }
  return 0;
}

// An IBAN, an IP address or an identity number whose first digit is at a place.
std::optional<PersonalPlace> PersonalFinder::checked(std::size_t place, std::uint64_t countries) const {
  std::size_t letters = 0;
  while (letters < 6 && letters < place - floor_ && is_capital(text_[place - letters - 1])) ++letters;
  if (letters >= 2) {
    if (const std::size_t end = iban(place); end != 0) return place_of(PersonalKind::iban, place - 2, end);
  }
  if (const std::size_t end = ip4(place); end != 0) return place_of(PersonalKind::ip, place, end);
  if (const std::size_t end = ip6(place); end != 0) return place_of(PersonalKind::ip, place, end);
  std::size_t begin = place - letters;
  std::size_t end = identity(begin, countries);
  // Two letters may stand apart from the digits.
  if (end == 0 && letters == 0 && place >= floor_ + 3 && text_[place - 1] == ' ' && is_capital(text_[place - 2]) &&
      is_capital(text_[place - 3])) {
    begin = place - 3;
    end = identity(begin, countries);
  }
  return end == 0 ? std::nullopt : std::optional(place_of(PersonalKind::identity, begin, end));
}

// A card or a telephone number that begins at a place.
std::optional<PersonalPlace> PersonalFinder::grouped(std::size_t place, std::uint64_t countries) const {
  const Number run = number(place);
  if (run.digits.size() < 6) return std::nullopt;
  if (is_digit(text_[place]) && starts(place)) {
    if (const std::size_t end = card(run); end != 0) return place_of(PersonalKind::card, place, end);
  }
  if (const std::size_t end = international(place, run); end != 0) return place_of(PersonalKind::phone, place, end);
  const std::size_t end = national(place, run, countries);
  return end == 0 ? std::nullopt : std::optional(place_of(PersonalKind::phone, place, end));
}

std::vector<PersonalPlace> PersonalFinder::find(std::u32string_view text, std::uint64_t countries) {
  std::vector<PersonalPlace> places;
  text_.resize(text.size());
  std::ranges::transform(text, text_.begin(), plain);
  floor_ = 0;
  after_phone_ = false;
  for (std::size_t i = 0; i < text_.size();) {
    const char32_t c = text_[i], next = at(i + 1);
    std::optional<PersonalPlace> place;
    if (c == '@' || c == '(' || c == '[' || c == '{') {
      std::size_t start = i;
      if (const std::size_t end = email(i, start); end != 0) place = place_of(PersonalKind::email, start, end);
    }
    const bool opens = (c == '(' && (is_digit(next) || next == '+')) || (c == '+' && (is_digit(next) || next == '('));
    if (!place && is_digit(c)) place = checked(i, countries);
    if (!place && (is_digit(c) || opens)) place = grouped(i, countries);
    if (place) {
      places.push_back(*place);
      i = floor_ = place->end;
      after_phone_ = place->kind == PersonalKind::phone;
    } else {
      ++i;
      while (is_digit(c) && is_digit(at(i))) ++i;
    }
  }
  return places;
}

}  // namespace corpusprep
