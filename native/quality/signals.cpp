#include "quality/signals.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "common/word_table.hpp"
#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

const std::array<const char*, kSignals> kSignalNames = {
    "characters",
    "lines",
    "words",
    "mean_word_length",
    "mean_line_length",
    "distinct_words",
    "stop_words",
    "alphabetic_words",
    "hashes",
    "ellipses",
    "bullet_lines",
    "ellipsis_lines",
    "punctuated_lines",
    "short_lines",
    "line_breaks",
    "repeated_lines",
    "repeated_line_characters",
    "repeated_characters",
    "repeated_paragraphs",
    "repeated_paragraph_characters",
    "top_2grams",
    "top_3grams",
    "top_4grams",
    "repeated_5grams",
    "repeated_6grams",
    "repeated_7grams",
    "repeated_8grams",
    "repeated_9grams",
    "repeated_10grams",
    "sentences",
    "lorem_ipsum",
    "curly_brackets",
    "web_line_words",
    "letters",
    "capitals",
    "digits",
    "punctuation",
    "symbols",
};

namespace {

// A word of these alone is no word that counts (datatrove's list; control characters too).
constexpr std::u32string_view kNoWord =
    U"!/—”:％１〈&(、━\\【#%「」，】；+^]~“《„';’{|∶´[=-`*．（–？！：$～«〉,><》)?）。…@_.\"}►»";
// Marks that end a line (FineWeb), of all scripts.
constexpr char32_t kLineEnds[] = {
    33,    46,    63,    1417,  1565,  1566,  1567,  1748,  1792,  1793,  1794,  2041,  2103,  2105,   2109,  2110,
    2404,  2405,  4170,  4171,  4962,  4967,  4968,  5742,  5941,  5942,  6100,  6101,  6102,  6105,   6106,  6147,
    6153,  6468,  6469,  6824,  6825,  6826,  6827,  7002,  7003,  7006,  7007,  7037,  7038,  7227,   7228,  7294,
    7295,  8252,  8253,  8263,  8264,  8265,  11822, 11836, 11859, 11860, 12290, 42239, 42510, 42511,  42739, 42743,
    43126, 43127, 43214, 43215, 43311, 43464, 43465, 43613, 43614, 43615, 43760, 43761, 44011, 65106,  65110, 65111,
    65281, 65294, 65311, 65377, 68182, 68183, 69461, 69462, 69463, 69464, 69465, 69510, 69511, 69512,  69513, 69703,
    69704, 69822, 69823, 69824, 69825, 69953, 69954, 69955, 70085, 70086, 70093, 70110, 70111, 70200,  70201, 70203,
    70204, 70313, 70731, 70732, 71106, 71107, 71113, 71114, 71115, 71116, 71117, 71118, 71119, 71120,  71121, 71122,
    71123, 71124, 71125, 71126, 71127, 71233, 71234, 71484, 71485, 71486, 72004, 72006, 72258, 72259,  72347, 72348,
    72769, 72770, 73463, 73464, 73539, 73540, 92782, 92783, 92917, 92983, 92984, 92996, 93848, 113823, 121480};
constexpr std::size_t kShortLine = 30;   // characters (FineWeb)
constexpr std::size_t kLongWord = 1000;  // characters (C4)
constexpr std::size_t kFewestWords = 3;  // of a line (C4)
constexpr std::array<std::string_view, 6> kPolicies = {"terms of use", "privacy policy", "cookie policy",
                                                       "uses cookies", "use of cookies", "use cookies"};

const std::u32string& no_word() {
  static const std::u32string sorted = [] {
    std::u32string characters{kNoWord};
    std::ranges::sort(characters);
    return characters;
  }();
  return sorted;
}

bool is_no_word(char32_t c) noexcept {
  if (c < 32 || (c >= 127 && c < 160)) return c != 10;
  return std::binary_search(no_word().begin(), no_word().end(), c);
}

// For ASCII, whether a character is in kNoWord.
const std::array<bool, 0x80>& no_word_ascii() {
  static const auto table = [] {
    std::array<bool, 0x80> flags{};
    for (char32_t c = 0; c < 0x80; ++c) flags[c] = is_no_word(c);
    return flags;
  }();
  return table;
}

bool ends_line(char32_t c) noexcept { return std::ranges::binary_search(kLineEnds, c); }

// All bytes but those that continue a character, which are looked for in eight bytes at a time.
std::size_t characters_of(std::string_view text) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  const auto continuing = [](std::uint64_t bytes) { return (((bytes >> 7) & ~(bytes >> 6) & kOnes) * kOnes) >> 56; };
  std::size_t count = text.size(), left = text.size();
  const char* bytes = text.data();
  for (; left >= 8; bytes += 8, left -= 8) count -= continuing(detail::load_little_endian<std::uint64_t>(bytes));
  return count - continuing(detail::load_few(bytes, left));
}

double share(double part, double whole) noexcept { return whole == 0 ? 0 : part / whole; }

bool is_space(char32_t c) noexcept {
  return c < 0x80 ? detail::ascii_space(static_cast<unsigned char>(c)) : unicode_class(c) == UnicodeClass::space;
}

char32_t last_character(std::string_view text) noexcept {
  if (text.empty()) return 0;
  std::size_t place = text.size() - 1;
  while (place > 0 && (static_cast<unsigned char>(text[place]) & 0xC0) == 0x80) --place;
  return decode_utf8(text, place).code_point;
}

std::string_view stripped(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto first = decode_utf8(text, 0);
    if (!is_space(first.code_point)) break;
    text.remove_prefix(first.length);
  }
  while (!text.empty() && is_space(last_character(text))) {
    std::size_t place = text.size() - 1;
    while (place > 0 && (static_cast<unsigned char>(text[place]) & 0xC0) == 0x80) --place;
    text = text.substr(0, place);
  }
  return text;
}

// Calls each(line) for the lines of a text. The last line has no line feed: behind one, it is empty.
template <class Each>
void each_line(std::string_view text, Each each) {
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find('\n', begin);
    each(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return;
    begin = end + 1;
  }
}

// The occurrences of a part that do not overlap.
std::size_t occurrences(std::string_view text, std::string_view part) noexcept {
  std::size_t count = 0;
  for (std::size_t place = text.find(part); place != std::string_view::npos;
       place = text.find(part, place + part.size())) {
    ++count;
  }
  return count;
}

// Appends a line without the marks of citations ([1], [edit], [citation needed]).
void without_citations(std::string_view line, std::string& out) {
  for (std::size_t place = 0; place < line.size();) {
    if (line[place] == '[') {
      std::size_t end = place + 1;
      while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
      if (end < line.size() && line[end] == ']') {
        place = end + 1;
        continue;
      }
      bool cited = false;
      for (const std::string_view mark : {"[edit]", "[citation needed]"}) {
        if (line.substr(place, mark.size()) == mark) {
          place += mark.size();
          cited = true;
          break;
        }
      }
      if (cited) continue;
    }
    out += line[place++];
  }
}

// What C4 and RefinedWeb look at in a line: its words between white space, and its letters.
struct LineWords {
  std::size_t words = 0, longest = 0, numbers = 0;  // `longest` in characters; numbers are digits, commas, full stops
  std::size_t letters = 0, capitals = 0;
};

LineWords words_of_line(std::string_view line) noexcept {
  LineWords found;
  std::size_t length = 0;
  bool number = true;
  const auto end_word = [&] {
    if (length == 0) return;
    ++found.words;
    found.longest = std::max(found.longest, length);
    found.numbers += number;
    length = 0;
    number = true;
  };
  for (std::size_t place = 0; place < line.size();) {
    const auto byte = static_cast<unsigned char>(line[place]);
    if (byte < 0x80) {
      ++place;
      if (detail::ascii_space(byte)) {
        end_word();
        continue;
      }
      ++length;
      found.letters += detail::ascii_letter(byte);
      found.capitals += byte >= 'A' && byte <= 'Z';
      number &= (byte >= '0' && byte <= '9') || byte == ',' || byte == '.';
      continue;
    }
    const auto character = decode_utf8(line, place);
    place += character.length;
    const UnicodeClass kind = unicode_class(character.code_point);
    if (kind == UnicodeClass::space) {
      end_word();
      continue;
    }
    ++length;
    number = false;
    if (kind == UnicodeClass::letter) {
      ++found.letters;
      found.capitals += detail::has_small_letter(character.code_point);
    }
  }
  end_word();
  return found;
}

}  // namespace

QualitySignals::QualitySignals(const std::vector<std::vector<std::string>>& exceptions,
                               const std::vector<std::string>& stop_words, Splitting splitting)
    : splitter_(exceptions, splitting) {
  const std::set<std::string> sorted(stop_words.begin(), stop_words.end());
  stop_words_.assign(sorted.begin(), sorted.end());
}

void QualitySignals::Places::start(std::size_t keys) {
  const std::size_t wanted = std::bit_ceil(2 * keys + 16);
  if (wanted > slots_.size() || ++round_ == 0) {
    slots_.assign(std::max(wanted, slots_.size()), Slot{});
    round_ = 1;
  }
  shift_ = static_cast<unsigned>(64 - std::countr_zero(wanted));
}

std::uint32_t QualitySignals::Places::add(std::uint64_t key, std::uint32_t place) noexcept {
  const std::size_t mask = (std::size_t{1} << (64 - shift_)) - 1;
  std::size_t slot = (key * detail::kTableFactor) >> shift_;
  while (slots_[slot].round == round_ && slots_[slot].key != key) slot = (slot + 1) & mask;
  if (slots_[slot].round != round_) slots_[slot] = {key, round_, place, 0};
  ++slots_[slot].count;
  return static_cast<std::uint32_t>(slot);
}

void QualitySignals::cut(std::string_view text, std::vector<Word>& words) {
  words.clear();
  splitter_.each(text, scratch_, [&](std::size_t begin, std::size_t end) {
    const std::string_view word = text.substr(begin, end - begin);
    words.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                     static_cast<std::uint32_t>(characters_of(word)), text_key(word)});
  });
}

std::vector<std::uint32_t> QualitySignals::words(std::string_view text) {
  cut(text, words_);
  std::vector<std::uint32_t> places;
  for (const Word& word : words_) places.insert(places.end(), {word.begin, word.end});
  return places;
}

void QualitySignals::measure(std::string_view text, double* values) {
  std::fill(values, values + kSignals, 0.0);
  cut(text, words_);
  values[kCharacters] = static_cast<double>(characters_of(text));
  measure_words(text, values);
  measure_ngrams(values[kCharacters], values);
  measure_characters(text, values);
  measure_lines(text, values);
}

void QualitySignals::measure_words(std::string_view text, double* values) {
  const auto all = static_cast<double>(words_.size());
  const auto& plain = no_word_ascii();
  std::vector<bool> seen(stop_words_.size());
  double counted = 0, length = 0, alphabetic = 0;
  places_.start(words_.size());
  slots_.resize(words_.size());
  double distinct = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const Word& word = words_[i];
    bool counts = false, letter = false;
    for (std::size_t place = word.begin; place < word.end && !(counts && letter);) {
      const auto byte = static_cast<unsigned char>(text[place]);
      if (byte < 0x80) {
        counts |= !plain[byte];
        letter |= detail::ascii_letter(byte);
        ++place;
        continue;
      }
      const auto character = decode_utf8(text, place);
      counts |= !is_no_word(character.code_point);
      letter |= unicode_class(character.code_point) == UnicodeClass::letter;
      place += character.length;
    }
    if (counts) {
      ++counted;
      length += word.length;
    }
    alphabetic += letter;
    slots_[i] = places_.add(word.key, 0);
    if (places_[slots_[i]].count == 1) {
      ++distinct;
      const std::string_view bytes = text.substr(word.begin, word.end - word.begin);
      for (std::size_t number = 0; number < stop_words_.size(); ++number) {
        if (stop_words_[number] == bytes) seen[number] = true;
      }
    }
  }
  repeats_.assign(words_.size() + 1, false);
  for (std::size_t i = 0; i < words_.size(); ++i) repeats_[i] = places_[slots_[i]].count > 1;
  values[kWords] = counted;
  values[kMeanWordLength] = share(length, counted);
  values[kDistinctWords] = share(distinct, all);
  values[kStopWords] = static_cast<double>(std::count(seen.begin(), seen.end(), true));
  values[kAlphabeticWords] = share(alphabetic, all);
  values[kHashes] = share(static_cast<double>(std::count(text.begin(), text.end(), '#')), all);
  values[kEllipses] = share(static_cast<double>(occurrences(text, "...") + occurrences(text, "\u2026")), all);
  values[kLineBreaks] = share(static_cast<double>(std::count(text.begin(), text.end(), '\n')), all);
}

// The most frequent n-gram (of equally frequent ones the first), and n-grams that were there before and do not overlap
// (Rae et al. 2021, table A1). An n-gram can only be there twice if all shorter ones in it are: few are looked up.
void QualitySignals::measure_ngrams(double characters, double* values) {
  const std::size_t count = words_.size();
  ends_.assign(count + 1, 0);  // characters up to the end of each word
  for (std::size_t i = 0; i < count; ++i) ends_[i + 1] = ends_[i] + words_[i].length;
  keys_.resize(count);
  candidates_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    keys_[i] = words_[i].key;
    if (repeats_[i]) candidates_.push_back(static_cast<std::uint32_t>(i));
  }
  // Of the candidates, those stay of which `stays`; their keys become those of n-grams.
  const auto lengthen = [&](std::size_t n, auto stays) {
    std::size_t kept = 0;
    for (const std::uint32_t i : candidates_) {
      if (!stays(i)) continue;
      keys_[i] = mix64((keys_[i] + n) ^ std::rotl(words_[i + n - 1].key, 17));
      candidates_[kept++] = i;
    }
    candidates_.resize(kept);
    places_.start(kept);
  };
  for (std::size_t n = 2; n <= 4 && n <= count; ++n) {
    lengthen(n, [&](std::uint32_t i) { return repeats_[i] && repeats_[i + 1]; });
    std::uint32_t most = 1, best = 0;
    slots_.resize(candidates_.size());
    for (std::size_t place = 0; place < candidates_.size(); ++place) {
      slots_[place] = places_.add(keys_[candidates_[place]], candidates_[place]);
      const auto& slot = places_[slots_[place]];
      if (slot.count > most || (slot.count == most && slot.first < best)) {
        most = slot.count;
        best = slot.first;
      }
    }
    const auto length = static_cast<double>(ends_[best + n] - ends_[best] + n - 1);
    values[kTop2grams + n - 2] = share(length * most, characters);
    std::ranges::fill(repeats_, false);
    for (std::size_t place = 0; place < candidates_.size(); ++place) {
      repeats_[candidates_[place]] = places_[slots_[place]].count > 1;
    }
  }
  for (std::size_t n = 5; n <= 10 && n <= count; ++n) {
    lengthen(n, [&](std::uint32_t i) { return repeats_[i] && repeats_[i + n - 4]; });
    std::uint64_t repeated = 0;
    std::size_t next = 0;
    for (const std::uint32_t i : candidates_) {
      if (i < next || places_[places_.add(keys_[i], i)].count == 1) continue;
      repeated += ends_[i + n] - ends_[i];
      next = i + n;
    }
    values[kRepeated5grams + n - 5] = share(static_cast<double>(repeated), characters);
  }
}

void QualitySignals::measure_characters(std::string_view text, double* values) {
  double spaces = 0, letters = 0, capitals = 0, digits = 0, marks = 0, symbols = 0;
  const auto add = [&](char32_t c) {
    switch (unicode_class(c)) {
      case UnicodeClass::letter:
      case UnicodeClass::mark:
        ++letters;
        capitals += detail::has_small_letter(c);
        break;
      case UnicodeClass::number:
        ++digits;
        break;
      case UnicodeClass::punctuation:
        ++marks;
        break;
      case UnicodeClass::symbol:
        ++symbols;
        break;
      case UnicodeClass::space:
        ++spaces;
        break;
      default:
        break;
    }
  };
  std::array<std::uint32_t, 0x80> ascii{};
  for (std::size_t place = 0; place < text.size();) {
    const auto byte = static_cast<unsigned char>(text[place]);
    if (byte < 0x80) {
      ++ascii[byte];
      ++place;
      continue;
    }
    const auto character = decode_utf8(text, place);
    add(character.code_point);
    place += character.length;
  }
  for (char32_t c = 0; c < 0x80; ++c) {
    double* const counts[] = {nullptr, &letters, &letters, &digits, &marks, &symbols, &spaces};
    const auto kind = static_cast<std::size_t>(unicode_class(c));
    if (kind != 0 && kind < std::size(counts)) *counts[kind] += ascii[c];
    if (c >= 'A' && c <= 'Z') capitals += ascii[c];
  }
  const double shown = values[kCharacters] - spaces;
  values[kLetters] = share(letters, shown);
  values[kCapitals] = share(capitals, letters);
  values[kDigits] = share(digits, shown);
  values[kPunctuation] = share(marks, shown);
  values[kSymbols] = share(symbols, shown);
}

std::array<double, 3> QualitySignals::repeated(std::string_view text, std::size_t least) {
  std::array<double, 3> sums{};  // parts, repeated parts, their characters
  places_.start(1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
  const auto add = [&](std::string_view part) {
    ++sums[0];
    if (places_[places_.add(text_key(part), 0)].count > 1) {
      ++sums[1];
      sums[2] += static_cast<double>(characters_of(part));
    }
  };
  std::size_t begin = 0;
  for (std::size_t place = text.find('\n'); place != std::string_view::npos; place = text.find('\n', place)) {
    const std::size_t end = place;
    while (place < text.size() && text[place] == '\n') ++place;
    if (place - end < least) continue;
    add(text.substr(begin, end - begin));
    begin = place;
  }
  add(text.substr(begin));
  return sums;
}

// A sentence ends behind a word that is one of the marks kLineEnds, and the marks that follow it.
double QualitySignals::sentences(std::string_view text, std::span<const Word> words) {
  double count = words.empty() ? 0 : 1;
  bool ended = false;
  for (const Word& word : words) {
    const std::string_view bytes = text.substr(word.begin, word.end - word.begin);
    const auto first = decode_utf8(bytes, 0).code_point;
    const bool ends = word.length == 1 && ends_line(first);
    if (ended && !ends) {
      bool marks = true;
      for (std::size_t place = 0; place < bytes.size() && marks;) {
        const auto character = decode_utf8(bytes, place);
        marks = unicode_class(character.code_point) == UnicodeClass::punctuation;
        place += character.length;
      }
      if (!marks) {
        ++count;
        ended = false;
      }
    }
    ended |= ends;
  }
  return count;
}

void QualitySignals::measure_lines(std::string_view text, double* values) {
  double lines = 0, bullets = 0, ellipses = 0, filled = 0, punctuated = 0, few = 0, filled_length = 0;
  double found = 0, web_words = 0, all_words = 0;
  bool stopped = false;  // C4 looks no further
  places_.start(1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
  double repeated_length = 0;
  const double breaks = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
  const std::string_view whole = text.ends_with('\n') ? text.substr(0, text.size() - 1) : text;
  if (!text.empty()) {
    each_line(whole, [&](std::string_view line) {
      ++lines;
      const std::string_view bare = stripped(line);
      bullets += bare.starts_with("\u2022") || bare.starts_with('-');
      ellipses += bare.ends_with("...") || bare.ends_with("\u2026");
      if (bare.empty()) return;
      ++filled;
      const std::size_t length = characters_of(line);
      filled_length += static_cast<double>(length);
      punctuated += ends_line(last_character(line));
      few += length <= kShortLine;
      if (places_[places_.add(text_key(line), 0)].count > 1) repeated_length += static_cast<double>(length);
    });
  }
  values[kLines] = filled;
  values[kMeanLineLength] = share(filled_length, filled);
  values[kBulletLines] = share(bullets, lines);
  values[kEllipsisLines] = share(ellipses, lines);
  values[kPunctuatedLines] = share(punctuated, filled);
  values[kShortLines] = share(few, filled);
  values[kRepeatedCharacters] = share(repeated_length, values[kCharacters] - breaks);
  const auto [line_count, line_repeats, line_length] = repeated(text, 1);
  values[kRepeatedLines] = share(line_repeats, line_count);
  values[kRepeatedLineCharacters] = share(line_length, values[kCharacters]);
  const auto [paragraphs, paragraph_repeats, paragraph_length] = repeated(stripped(text), 2);
  values[kRepeatedParagraphs] = share(paragraph_repeats, paragraphs);
  values[kRepeatedParagraphCharacters] = share(paragraph_length, values[kCharacters]);
  std::size_t first_word = 0;  // of the line
  each_line(whole, [&](std::string_view full) {
    const std::string_view line = stripped(full);
    if (line.empty()) return;
    const LineWords pieces = words_of_line(line);
    all_words += static_cast<double>(pieces.words);
    // RefinedWeb: a single word, numbers alone, a counter (3 likes), mostly capitals.
    const bool counter =
        pieces.words == 2 && line[0] >= '0' && line[0] <= '9' && pieces.numbers == 1 && pieces.letters != 0;
    if (pieces.words == 1 || pieces.numbers == pieces.words || counter || 2 * pieces.capitals > pieces.letters) {
      web_words += static_cast<double>(pieces.words);
    }
    if (stopped || pieces.longest > kLongWord) return;
    line_.clear();
    without_citations(line, line_);
    const std::string_view cited{line_};
    const char last = cited.empty() ? '\0' : cited.back();
    if (last != '.' && last != '?' && last != '!' && last != '"' && last != '\'') return;
    if (cited.ends_with("...") || pieces.words < kFewestWords) return;
    small_ = line_;
    for (char& c : small_) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    if (small_.find("lorem ipsum") != std::string::npos) {
      values[kLoremIpsum] = 1;
      stopped = true;
      return;
    }
    if (small_.find("javascript") != std::string::npos) return;
    if (cited.find('{') != std::string_view::npos) {
      values[kCurlyBrackets] = 1;
      stopped = true;
      return;
    }
    for (const std::string_view policy : kPolicies) {
      if (small_.find(policy) != std::string::npos) return;
    }
    if (cited.size() != line.size()) {
      cut(cited, line_words_);
      found += sentences(cited, line_words_);
      return;
    }
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    while (first_word < words_.size() && words_[first_word].begin < begin) ++first_word;
    std::size_t last_word = first_word;
    while (last_word < words_.size() && words_[last_word].begin < begin + line.size()) ++last_word;
    found += sentences(text, std::span(words_).subspan(first_word, last_word - first_word));
  });
  values[kSentences] = found;
  values[kWebLineWords] = share(web_words, all_words);
}

}  // namespace corpusprep
