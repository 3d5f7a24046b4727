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
  const auto settled = [](char32_t code) { return code < kFirstMark || value_of(code, tables::kMayChange) == 0; };
  if (std::ranges::all_of(text, settled)) return std::u32string(text);
  std::u32string out = nfd(text);
  compose(out);
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
