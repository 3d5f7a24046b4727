#include "statistics/string_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "common/prefetch.hpp"
#include "common/radix_sort.hpp"
#include "statistics/word_runs.hpp"
#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace corpusprep {

namespace {

enum Kind : unsigned char { kLetter = 1, kDigit = 2, kOther = 4, kOdd = 8 };  // kOdd: not ASCII, or white space

constexpr auto kKinds = [] {
  std::array<unsigned char, 256> kinds{};
  for (unsigned c = 0; c < kinds.size(); ++c) {
    const unsigned lower = c | 0x20;
    const bool white = c >= '\t' && c <= '\r';
    kinds[c] = c >= 0x80 || white             ? kOdd
               : lower >= 'a' && lower <= 'z' ? kLetter
               : c >= '0' && c <= '9'         ? kDigit
                                              : kOther;
  }
  return kinds;
}();

unsigned kind(char c) noexcept { return kKinds[static_cast<unsigned char>(c)]; }

// Bytes of the longest string that is divided here; longer ones are odd: the counts must not grow much between two
// looks at their memory.
constexpr std::size_t kLongestDivided = 1 << 12;

// Numbers that there is room for at first: at least those of one string in 256 sets.
constexpr std::size_t kFewestCounts = 1 << 14;

// Bytes of text after which the counts are full: then no number of strings, or of pieces of them, reaches 2^32.
constexpr std::uint64_t kMostScanned = std::uint64_t{1} << 31;

constexpr std::uint64_t kEach = 0x0101010101010101;  // times a byte: that byte eight times
constexpr std::uint64_t kHigh = 0x80 * kEach;

// Sets the high bit of each byte, of those below 0x80, that is at least `least`, which is at most 0x80.
std::uint64_t from(std::uint64_t bytes, std::uint64_t least) noexcept { return bytes + (0x80 - least) * kEach; }

// Returns the word of up to seven bytes at the start of `eight`, which a space ends, in lower case; 0 if that is to be
// found out byte by byte: it is longer, empty or odd, or does not begin with a letter and end with a letter or digit.
std::uint64_t short_word(std::uint64_t eight) noexcept {
  const std::uint64_t apart = eight ^ (' ' * kEach);
  const std::uint64_t spaces = (apart - kEach) & ~apart & kHigh;  // exact up to the first space
  if (spaces == 0) return 0;
  const auto size = static_cast<unsigned>(std::countr_zero(spaces)) / 8;
  const std::uint64_t bytes = eight & ((std::uint64_t{1} << (8 * size)) - 1);
  if (size == 0 || (bytes & kHigh) != 0) return 0;
  if ((from(bytes, '\t') & ~from(bytes, '\r' + 1) & kHigh) != 0) return 0;
  if (!(kind(static_cast<char>(bytes)) & kLetter)) return 0;
  if (!(kind(static_cast<char>(bytes >> (8 * (size - 1)))) & (kLetter | kDigit))) return 0;
  const std::uint64_t capitals = from(bytes, 'A') & ~from(bytes, 'Z' + 1) & kHigh;
  return bytes | capitals >> 2 | static_cast<std::uint64_t>(size) << 56;
}

// A string that a space ends, and the word in it: `begin` to `end`, equal if it has none.
struct PlainString {
  unsigned size = 0;  // 0: what is there is to be looked at byte by byte
  unsigned begin = 0, end = 0;
};

#if defined(__SSE2__)

// Returns the string of up to 15 bytes at the start of `sixteen`, if it is not odd; writes all in lower case.
PlainString plain_string(const char* sixteen, char* lower_case) noexcept {
  const auto mask = [](__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); };
  const auto between = [](__m128i bytes, char first, char last) {
    const __m128i from = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8(static_cast<char>(last - first))), from);
  };
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen));
  const unsigned spaces = mask(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
  if (spaces == 0) return {};
  const auto size = static_cast<unsigned>(std::countr_zero(spaces));
  const unsigned inside = (1U << size) - 1;
  if (((mask(bytes) | mask(between(bytes, '\t', '\r'))) & inside) != 0) return {};
  const __m128i capital = _mm_and_si128(between(bytes, 'A', 'Z'), _mm_set1_epi8(0x20));
  const __m128i small = _mm_or_si128(bytes, capital);
  const unsigned letters = mask(between(small, 'a', 'z')) & inside;
  if (letters == 0) return {size, 0, 0};
  const unsigned word = letters | (mask(between(bytes, '0', '9')) & inside);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(lower_case), small);
  return {size, static_cast<unsigned>(std::countr_zero(word)), static_cast<unsigned>(std::bit_width(word))};
}

#else

PlainString plain_string(const char*, char*) noexcept { return {}; }

#endif

// Characters from here on are odd.
constexpr char32_t kSpacedEnd = 0xFFF0;

// What counts about a character.
struct Spaced {
  enum Kind : unsigned char {
    odd,
    other,
    mark,  // or number
    letter,
    space,
    paired,  // of a script whose pairs of characters count
  };
  std::uint16_t lower;
  Kind kind;
  bool inner() const noexcept { return kind == letter || kind == mark; }
};

// Han and Hiragana in ranges that have long been full; the rest of Han is odd.
constexpr bool is_paired(char32_t c) noexcept {
  return in_range(c, 0x3400, 0x4DBF) || in_range(c, 0x4E00, 0x9FEF) || in_range(c, 0x3041, 0x3096) ||
         in_range(c, 0x309D, 0x309F) || c == 0x3005 || c == 0x3007;
}

// Blocks of East Asia whose other characters make words: punctuation, Katakana, Hangul, forms of other widths.
constexpr bool is_eastern(char32_t c) noexcept {
  return in_range(c, 0x3000, 0x3020) || in_range(c, 0x3099, 0x309C) || in_range(c, 0x30A0, 0x30FF) ||
         in_range(c, 0x3131, 0x318E) || in_range(c, 0xAC00, 0xD7A3) || in_range(c, 0xFF01, 0xFFEF);
}

constexpr Spaced::Kind spaced_kind(char32_t c, UnicodeClass kind) noexcept {
  switch (kind) {
    case UnicodeClass::letter:
      return Spaced::letter;
    case UnicodeClass::mark:
    case UnicodeClass::number:
      return Spaced::mark;
    case UnicodeClass::space:
      return in_range(c, 0x1C, 0x1F) ? Spaced::other : Spaced::space;  // separators of ASCII are no White_Space
    default:
      return Spaced::other;
  }
}

const std::array<Spaced, kSpacedEnd>& spaced_characters() {
  static const auto found = [] {
    std::array<Spaced, kSpacedEnd> characters{};
    for (char32_t c = 0; c < kSpacedEnd; ++c) {
      constexpr char32_t kSigma = 0x3A3, kDottedI = 0x130;
      const char32_t small = lower(c);
      const UnicodeClass kind = unicode_class(small);
      const bool script = c < 0x0E00 || in_range(c, 0x1E00, 0x2E7F) || is_eastern(c) || is_paired(c);
      if (!script || c == kSigma || c == kDottedI || kind == UnicodeClass::unassigned || small >= kSpacedEnd) continue;
      characters[c] = {static_cast<std::uint16_t>(small), is_paired(c) ? Spaced::paired : spaced_kind(c, kind)};
    }
    return characters;
  }();
  return found;
}

// Appends a character of up to three bytes; returns the end.
char* put_utf8(char* out, char32_t c) noexcept {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xC0 | c >> 6);
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out++ = static_cast<char>(0xE0 | c >> 12);
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

}  // namespace

bool StringCounts::spaced(char32_t character) noexcept {
  return character < kSpacedEnd && spaced_characters()[character].kind != Spaced::odd;
}

StringCounts::Added StringCounts::add_spaced(std::string_view string, std::size_t set) {
  const auto& characters = spaced_characters();
  bool divided = false;
  for (std::size_t place = 0; place < string.size();) {
    const auto [c, length] = decode_utf8(string, place);
    place += length;
    if (c >= kSpacedEnd || characters[c].kind == Spaced::odd) return Added::odd;
    divided |= characters[c].kind >= Spaced::space;
  }
  if (divided && string.size() > kLongestDivided) return Added::odd;
  // The word so far, and its end behind the last character that can end it; later characters wait for such a one.
  char *next = lower_.data() + used_, *end = next;
  std::size_t size = 0, size_at_end = 0;  // in characters
  bool letter = false;
  const auto end_word = [&] {
    if (letter && size_at_end <= longest_) {
      const char* const word = lower_.data() + used_;
      const auto bytes = static_cast<std::size_t>(end - word);
      wait(TableWord::of({word, bytes}, lower_.size() - used_), set, false);
      used_ += bytes;
      if (divided && waiting_strings_ == kWaiting) flush();
    }
    next = end = lower_.data() + used_;
    size = size_at_end = 0;
    letter = false;
  };
  for (std::size_t place = 0; place < string.size();) {
    const auto [c, length] = decode_utf8(string, place);
    const Spaced& character = characters[c];
    if (character.kind == Spaced::space) {
      end_word();
    } else if (character.kind == Spaced::paired) {
      end_word();
      place = add_pairs(string, place, set);
      next = end = lower_.data() + used_;
      continue;
    } else if (size != 0 || character.inner()) {
      if (++size <= longest_) next = put_utf8(next, character.lower);
      letter |= character.kind == Spaced::letter;
      if (character.inner()) {
        size_at_end = size;
        end = next;
      }
    }
    place += length;
  }
  end_word();
  return divided ? Added::several : Added::one;
}

std::size_t StringCounts::add_pairs(std::string_view string, std::size_t place, std::size_t set) {
  const auto& characters = spaced_characters();
  constexpr std::size_t kBytes = 3;  // of each of these characters
  const auto paired = [&](std::size_t at) {
    if (at == string.size()) return false;
    const char32_t c = decode_utf8(string, at).code_point;
    return c < kSpacedEnd && characters[c].kind == Spaced::paired;
  };
  const auto add = [&](std::size_t bytes) {
    wait(TableWord::of(string.substr(place, bytes), string.size() - place), set, false);
    if (waiting_strings_ == kWaiting) flush();
  };
  if (!paired(place + kBytes)) add(kBytes);
  for (; paired(place + kBytes); place += kBytes) add(2 * kBytes);
  return place + kBytes;
}

std::uint32_t StringCounts::number_of(const TableWord& word, bool odd) {
  Table& table = odd ? odd_ : words_;
  if (const char* entry = table.find(word)) return Table::get(entry);
  const auto number = static_cast<std::uint32_t>(strings_);
  table.insert(word, number);
  if (++strings_ * sets_ > counts_.size()) counts_.resize(std::max(kFewestCounts, 2 * counts_.size()));
  (odd ? odd_bytes_ : word_bytes_) += word.packed != 0 ? word.packed >> 56 : word.bytes.size();
  return number;
}

void StringCounts::wait(const TableWord& word, std::size_t set, bool odd) noexcept {
  (odd ? odd_ : words_).prefetch_slot(word);
  waiting_[waiting_strings_++] = {word, 0, static_cast<std::uint8_t>(set), odd};
}

void StringCounts::add_short(std::uint64_t packed, std::size_t set) noexcept {
  const std::uint64_t key = TableWord::short_key(packed);
  const Recent& recent = recent_[key >> (64 - kRecentBits)];
  if (recent.packed == packed) {
    ++counts_[recent.number * sets_ + set];
  } else {
    wait({{}, packed, key}, set, false);
  }
}

void StringCounts::flush() {
  const std::span<Waiting> waiting(waiting_.data(), waiting_strings_);
  waiting_strings_ = used_ = 0;
  for (const auto& one : waiting) (one.odd ? odd_ : words_).prefetch_long(one.word);
  for (auto& one : waiting) {
    one.number = number_of(one.word, one.odd);
    if (one.word.packed != 0 && !one.odd) recent_[one.word.key >> (64 - kRecentBits)] = {one.word.packed, one.number};
    __builtin_prefetch(counts_.get() + one.number * sets_, 1);
  }
  for (const auto& one : waiting) ++counts_[one.number * sets_ + one.set];
}

bool StringCounts::full() const noexcept {
  return words_.slot_bytes() + words_.arena_bytes() + odd_.slot_bytes() + odd_.arena_bytes() +
                 strings_ * sets_ * sizeof counts_[0] >=
             most_bytes_ ||
         scanned_ >= kMostScanned;
}

std::size_t StringCounts::add(std::string_view text, std::size_t start, std::size_t set) {
  const char* const end = text.data() + text.size();
  for (const char* next = text.data() + start; next != end;) {
    bool look = false;
    const char* const after = [&] {
      if (end - next >= 8 && longest_ >= TableWord::kShort) {
        if (const auto packed = short_word(detail::load_little_endian<std::uint64_t>(next))) {
          add_short(packed, set);
          return next + (packed >> 56);
        }
      }
      if (end - next >= 16) {
        char* const lower_case = lower_.data() + used_;
        const PlainString string = plain_string(next, lower_case);
        if (string.size != 0) {
          const std::size_t size = string.end - string.begin;
          if (size != 0 && size <= longest_) {
            const TableWord word = TableWord::of({lower_case + string.begin, size}, TableWord::kShort + 1);
            if (word.packed != 0) {
              add_short(word.packed, set);
            } else {
              wait(word, set, false);
              used_ += string.end;
            }
          }
          return next + string.size;
        }
      }
      const char* begin = next;
      unsigned kinds = 0;
      const char* stop = next;
      for (; stop != end && *stop != ' '; ++stop) kinds |= kind(*stop);
      if (kinds & kOdd) {
        const std::string_view string(begin, static_cast<std::size_t>(stop - begin));
        const Added added = add_spaced(string, set);
        look = added == Added::several;
        if (added == Added::odd) wait(TableWord::of(string, static_cast<std::size_t>(end - begin)), set, true);
      } else if (kinds & kLetter) {
        const char* last = stop - 1;
        while (kind(*begin) == kOther) ++begin;
        while (kind(*last) == kOther) --last;
        const auto size = static_cast<std::size_t>(last + 1 - begin);
        if (size <= longest_) {
          char* word = lower_.data() + used_;
          for (std::size_t i = 0; i < size; ++i)
            word[i] = static_cast<char>(begin[i] | (kind(begin[i]) == kLetter) << 5);
          wait(TableWord::of({word, size}, lower_.size() - used_), set, false);
          used_ += size;
        }
      }
      return stop;
    }();
    scanned_ += static_cast<std::uint64_t>(after - next);
    next = after == end ? after : after + 1;
    if (look || waiting_strings_ == kWaiting || scanned_ >= kMostScanned) {
      flush();
      if (full()) return static_cast<std::size_t>(after - text.data());
    }
  }
  return text.size();
}

void StringCounts::add_word(std::string_view word, const std::int64_t* counts) {
  const std::uint32_t number = number_of(TableWord::of(word, word.size()), false);
  for (std::size_t set = 0; set < sets_; ++set) {
    std::uint32_t& sum = counts_[number * sets_ + set];
    if (counts[set] < 0 || std::cmp_greater(counts[set], UINT32_MAX - sum))
      throw std::overflow_error("a word occurs too often");
    sum += static_cast<std::uint32_t>(counts[set]);
  }
}

void StringCounts::sort_words() {
  if (words_left() != 0) return;
  sorted_ = rows_of(words_);
  read_ = 0;
  radix_sort(sorted_.data(), sorted_.size(), 64);
  for (auto first = sorted_.begin(); first != sorted_.end();) {
    auto last = first + 1;
    while (last != sorted_.end() && last->key == first->key) ++last;
    if (last - first > 1) {
      std::ranges::sort(first, last, [&](const Row& one, const Row& other) {
        std::array<char, 8> buffer_of_one, buffer_of_other;
        return words_.word({one.key, one.place}, buffer_of_one) <
               words_.word({other.key, other.place}, buffer_of_other);
      });
    }
    first = last;
  }
}

template <class Visit>
void StringCounts::each_word(const Row* first, const Row* last, Visit visit) const {
  // Words in order are anywhere in memory: what is read next is brought into the cache, first the word, then its
  // counts.
  constexpr std::ptrdiff_t kAhead = 16;
  for (const Row* row = first; row != last; ++row) {
    if (last - row > 2 * kAhead) words_.prefetch({row[2 * kAhead].key, row[2 * kAhead].place});
    if (last - row > kAhead) {
      prefetch_line(counts_.get() + words_.value({row[kAhead].key, row[kAhead].place}) * sets_);
    }
    std::array<char, 8> buffer;
    const Table::Reference reference{row->key, row->place};
    visit(words_.word(reference, buffer), counts_.get() + words_.value(reference) * sets_);
  }
}

void StringCounts::read_words(std::size_t words, std::string& text, std::int64_t* offsets, std::int64_t* counts) {
  const Row* const first = sorted_.data() + read_;
  std::size_t i = 0;
  offsets[0] = static_cast<std::int64_t>(text.size());
  each_word(first, first + words, [&](std::string_view word, const std::uint32_t* found) {
    text.append(word);
    for (std::size_t set = 0; set < sets_; ++set) counts[set * words + i] = found[set];
    offsets[++i] = static_cast<std::int64_t>(text.size());
  });
  read_ += words;
  if (words_left() == 0) clear();
}

void StringCounts::write_run(const std::string& path) {
  sort_words();
  WordRunWriter writer(path, sets_);
  each_word(sorted_.data(), sorted_.data() + sorted_.size(),
            [&](std::string_view word, const std::uint32_t* found) { writer.add(word, found); });
  writer.finish();
  clear();
}

std::vector<StringCounts::Row> StringCounts::rows_of(const Table& table) {
  std::vector<Row> rows;
  rows.reserve(table.size());
  table.entries([&](const Table::Reference& reference) { rows.push_back({reference.prefix, reference.place}); });
  return rows;
}

void StringCounts::write_odd(char* text, std::int64_t* offsets, std::int64_t* counts) const {
  const std::vector<Row> rows = rows_of(odd_);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::array<char, 8> buffer;
    const Table::Reference reference{rows[i].key, rows[i].place};
    const std::string_view string = odd_.word(reference, buffer);
    std::memcpy(text + offset, string.data(), string.size());
    offsets[i] = offset;
    offset += static_cast<std::int64_t>(string.size());
    const std::uint32_t* found = counts_.get() + odd_.value(reference) * sets_;
    for (std::size_t set = 0; set < sets_; ++set) counts[set * rows.size() + i] = found[set];
  }
  offsets[rows.size()] = offset;
}

void StringCounts::clear_odd() noexcept {
  odd_.clear();
  odd_bytes_ = 0;
}

void StringCounts::clear() {
  words_.clear();
  odd_.clear();
  counts_.release();
  sorted_ = {};
  strings_ = read_ = 0;
  recent_ = {};
  word_bytes_ = odd_bytes_ = 0;
  scanned_ = 0;
}

}  // namespace corpusprep
