#include "text/unicode_mappings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "encoding/byte_groups.hpp"
#include "text/unicode.hpp"
#include "text/unicode_mapping_tables.hpp"

namespace corpusprep {

namespace {

// Hangul syllables are composed by arithmetic (Unicode Standard, 3.12).
constexpr char32_t kSyllables = 0xAC00, kLeads = 0x1100, kVowels = 0x1161, kTrails = 0x11A7;
constexpr char32_t kLeadCount = 19, kVowelCount = 21, kTrailCount = 28;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTrailCount;
constexpr char32_t kSigma = 0x3A3, kFinalSigma = 0x3C2, kSmallSigma = 0x3C3;
// Characters before it have no combining class and are no second part of a composed character.
constexpr char32_t kFirstMark = 0x300;
// Characters before it have no decomposition.
constexpr char32_t kFirstComposed = 0xC0;

constexpr bool within(char32_t code, char32_t first, char32_t count) noexcept { return code - first < count; }

std::uint8_t value_of(char32_t code, std::span<const tables::Range> ranges) noexcept {
  const auto range = std::ranges::lower_bound(ranges, code, {}, &tables::Range::last);
  return range != ranges.end() && range->first <= code ? range->value : 0;
}

std::uint8_t combining_class(char32_t code) noexcept {
  return code < kFirstMark ? 0 : value_of(code, tables::kCombiningClasses);
}

// The combining class of a mark; kComposes for a character that decomposes in form C, or may compose with the one
// before it; 0 for all others.
constexpr std::uint8_t kComposes = 255;
constexpr std::uint8_t nfc_class(char32_t code) noexcept {
  return code > 0x10FFFF ? 0 : tables::kNfcRows[tables::kNfcRowIndex[code >> 8]][code & 0xFF];
}

// Bytes that begin no character outside class 0: ASCII, the first bytes of Latin, Cyrillic, Han and Hangul characters,
// and all that begin none.
constexpr std::array<bool, 256> kSettledBytes = [] {
  std::array<bool, 256> settled{};
  settled.fill(true);
  for (char32_t code = 0x80; code < 0x800; ++code) {
    if (nfc_class(code) != 0) settled[0xC0 | code >> 6] = false;
  }
  for (char32_t code = 0x800; code < 0x10000; ++code) {
    if (nfc_class(code) != 0) settled[0xE0 | code >> 12] = false;
  }
  for (std::size_t byte = 0xF0; byte < 0xF5; ++byte) settled[byte] = false;
  return settled;
}();

// By first byte from C0 to EF, the second bytes (a bit each) with which it begins no character outside class 0.
constexpr std::array<std::uint64_t, 48> kSettledPairs = [] {
  std::array<std::uint64_t, 48> settled{};
  settled.fill(~std::uint64_t{0});
  for (char32_t code = 0x80; code < 0x10000; ++code) {
    if (nfc_class(code) == 0) continue;
    const char32_t pair = code < 0x800 ? code : 0x800 + (code >> 6);  // from C0 80 on, and from E0 80 on
    settled[pair >> 6] &= ~(std::uint64_t{1} << (pair & 0x3F));
  }
  return settled;
}();

bool settled_pair(std::uint8_t first, std::uint8_t second) noexcept {
  return first >= 0xC0 && first < 0xF0 && (second & 0xC0) == 0x80 &&
         (kSettledPairs[first - 0xC0U] >> (second & 0x3FU) & 1) != 0;
}

template <class Row>
const Row* row_of(char32_t code, std::span<const Row> rows) noexcept {
  const auto row = std::ranges::lower_bound(rows, code, {}, &Row::code);
  return row != rows.end() && row->code == code ? &*row : nullptr;
}

const tables::Decomposition* decomposition_of(char32_t code) noexcept {
  return row_of<tables::Decomposition>(code, tables::kDecompositions);
}

void decompose(char32_t code, std::u32string& out) {
  if (within(code, kSyllables, kSyllableCount)) {
    const char32_t number = code - kSyllables;
    out.push_back(kLeads + number / (kVowelCount * kTrailCount));
    out.push_back(kVowels + number / kTrailCount % kVowelCount);
    if (number % kTrailCount != 0) out.push_back(kTrails + number % kTrailCount);
  } else if (const auto* row = code < kFirstComposed ? nullptr : decomposition_of(code)) {
    decompose(row->first, out);
    if (row->second != 0) decompose(row->second, out);
  } else {
    out.push_back(code);
  }
}

// Sorts each sequence of marks by combining class.
void order_marks(std::u32string& text) {
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = start;
    while (end < text.size() && combining_class(text[end]) != 0) ++end;
    std::stable_sort(text.begin() + static_cast<std::ptrdiff_t>(start), text.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
    start = end + 1;
  }
}

// Returns the character that two characters compose to; 0 if there is none.
char32_t composed(char32_t first, char32_t second) {
  if (within(first, kLeads, kLeadCount) && within(second, kVowels, kVowelCount)) {
    return kSyllables + ((first - kLeads) * kVowelCount + (second - kVowels)) * kTrailCount;
  }
  if (within(first, kSyllables, kSyllableCount) && (first - kSyllables) % kTrailCount == 0 &&
      within(second, kTrails + 1, kTrailCount - 1)) {
    return first + (second - kTrails);
  }
  static const auto compositions = [] {
    std::map<std::pair<char32_t, char32_t>, char32_t> found;
    for (const auto& row : tables::kDecompositions) {
      if (row.composes != 0) found[{row.first, row.second}] = row.code;
    }
    return found;
  }();
  const auto found = compositions.find({first, second});
  return found == compositions.end() ? 0 : found->second;
}

// Returns whether a character is no mark, may compose with the one before it, and does not: no mark stands between the
// two, so that its decomposition does not matter.
bool stays_behind(char32_t first, char32_t code) {
  if (within(code, kVowels, kVowelCount)) return !within(first, kLeads, kLeadCount);
  if (within(code, kTrails + 1, kTrailCount - 1)) return composed(first, code) == 0;
  static const auto pairs = [] {
    std::vector<std::pair<char32_t, char32_t>> found;
    for (const auto& row : tables::kDecompositions) {
      if (row.composes != 0 && combining_class(row.second) == 0 && decomposition_of(row.second) == nullptr) {
        found.emplace_back(row.second, row.first);
      }
    }
    std::ranges::sort(found);
    return found;
  }();
  const auto of_code = std::ranges::lower_bound(pairs, std::pair(code, char32_t{0}));
  return of_code != pairs.end() && of_code->first == code && !std::ranges::binary_search(pairs, std::pair(code, first));
}

// Returns the size in bytes of the character before `place`; 0 if none ends there.
std::size_t size_before(std::string_view utf8, std::size_t place) noexcept {
  for (std::size_t size = 1; size <= std::min<std::size_t>(4, place); ++size) {
    const auto character = decode_utf8(utf8, place - size);
    if (character.length == size && character.code_point != 0xFFFD) return size;
  }
  return 0;
}

char32_t character_before(std::string_view utf8, std::size_t place) noexcept {
  const std::size_t size = size_before(utf8, place);
  return size == 0 ? 0xFFFD : decode_utf8(utf8, place - size).code_point;
}

// Composes a text in form D, in place.
void compose(std::u32string& text) {
  std::size_t size = 0;       // of the composed text
  std::size_t starter = 0;    // place after the last character of class 0; 0 if there is none
  std::uint8_t blocking = 0;  // class of the last mark that stays after the starter
  for (const char32_t code : text) {
    const std::uint8_t mark = combining_class(code);
    // A mark composes unless a mark of its class or a higher one stays before it. A starter composes only with its
    // neighbour.
    const bool reaches = starter != 0 && (size == starter || blocking < mark);
    const char32_t found = reaches ? composed(text[starter - 1], code) : 0;
    if (found != 0) {
      text[starter - 1] = found;
      continue;
    }
    text[size++] = code;
    blocking = mark;
    if (mark == 0) starter = size;
  }
  text.resize(size);
}

std::u32string mapped(std::u32string_view text, std::span<const tables::Mapping> mappings) {
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t code : text) {
    const auto* row = row_of(code, mappings);
    if (row == nullptr) {
      out.push_back(code);
    } else {
      for (const char32_t to : row->to) {
        if (to != 0) out.push_back(to);
      }
    }
  }
  return out;
}

// Returns whether the first character that is not ignored is cased.
template <class Iterator>
bool beside_cased(Iterator next, const Iterator& end) noexcept {
  constexpr std::uint8_t kCased = 1, kIgnored = 2;
  for (; next != end; ++next) {
    const std::uint8_t context = value_of(*next, tables::kSigmaContexts);
    if (context != kIgnored) return context == kCased;
  }
  return false;
}

}  // namespace

std::u32string nfd(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t code : text) decompose(code, out);
  order_marks(out);
  return out;
}

std::u32string nfc(std::u32string_view text) {
  if (std::ranges::all_of(text, nfc_settled)) return std::u32string(text);
  std::u32string out = nfd(text);
  compose(out);
  return out;
}

bool nfc_settled(char32_t character) noexcept { return nfc_class(character) == 0; }

std::optional<std::string> nfc(std::string_view utf8) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(utf8.data());
  const std::size_t size = utf8.size();
  std::optional<std::string> out;
  std::size_t copied = 0;  // bytes of the text that are in `out`
  std::size_t behind = 0;  // behind the last settled character
  std::uint8_t last = 0;   // class of the mark before `place`; 0 behind a character that is no mark
  for (std::size_t place = 0; place < size;) {
    const std::size_t settled = place;
    while (place < size) {
      if (kSettledBytes[data[place]]) {
        if ((++place & (byte_groups::kGroup - 1)) == 0) place = byte_groups::skip_ascii(data, place, size);
      } else if (place + 1 < size && settled_pair(data[place], data[place + 1])) {
        place += 2;
      } else {
        break;
      }
    }
    if (place != settled) {
      behind = place;
      last = 0;
      continue;
    }
    const auto [code, length] = decode_utf8(utf8, place);
    const std::uint8_t kind = nfc_class(code);
    if (kind == 0) {
      place += length;
      behind = place;
      last = 0;
      continue;
    }
    const bool stays =
        kind != kComposes ? last <= kind : last == 0 && place != 0 && stays_behind(character_before(utf8, place), code);
    if (stays) {
      last = kind == kComposes ? 0 : kind;
      place += length;
      continue;
    }
    // The last settled character and all behind it; bytes that are not UTF-8 are not in it.
    const std::size_t start = behind - size_before(utf8, behind);
    std::u32string sequence;
    for (std::size_t i = start; i < place; i += decode_utf8(utf8, i).length) {
      sequence += decode_utf8(utf8, i).code_point;
    }
    while (place < size) {
      const auto next = decode_utf8(utf8, place);
      if (nfc_settled(next.code_point)) break;
      sequence += next.code_point;
      place += next.length;
    }
    std::string composed;
    for (const char32_t character : nfc(sequence)) append_utf8(character, composed);
    if (composed != utf8.substr(start, place - start)) {
      if (!out) out.emplace().reserve(size);
      out->append(utf8, copied, start - copied).append(composed);
      copied = place;
    }
    last = 0;
  }
  if (out) out->append(utf8, copied, size - copied);
  return out;
}

std::u32string lower(std::u32string_view text) {
  std::u32string out = mapped(text, tables::kLower);
  if (text.find(kSigma) == std::u32string_view::npos) return out;
  // Only U+0130 becomes two characters, so places differ by the number of these before.
  std::size_t place = 0;
  for (std::size_t i = 0; i < text.size(); ++i, ++place) {
    if (text[i] == 0x130) ++place;
    if (text[i] != kSigma) continue;
    const auto here = text.begin() + static_cast<std::ptrdiff_t>(i);
    const bool last =
        beside_cased(std::make_reverse_iterator(here), text.rend()) && !beside_cased(here + 1, text.end());
    out[place] = last ? kFinalSigma : kSmallSigma;
  }
  return out;
}

char32_t lower(char32_t character) noexcept {
  const auto* row = row_of<tables::Mapping>(character, tables::kLower);
  return row == nullptr || row->to[1] != 0 ? character : row->to[0];
}

std::u32string upper(std::u32string_view text) { return mapped(text, tables::kUpper); }
std::u32string title(std::u32string_view text) { return mapped(text, tables::kTitle); }
std::u32string casefold(std::u32string_view text) { return mapped(text, tables::kFolded); }

}  // namespace corpusprep
