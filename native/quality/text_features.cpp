#include "quality/text_features.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/hash.hpp"
#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

namespace {

constexpr std::uint64_t kStart = 0x9E3779B97F4A7C15ULL, kFactor = 0xBF58476D1CE4E5B9ULL;

enum class Part : std::uint8_t { none, inside, alone };

// What a character is to the words, and what stands for it.
struct Read {
  Part part = Part::none;
  bool ends = true;  // the word before it
  char32_t as = 0;
};

Read read(char32_t c) noexcept {
  if (c == '\n') return {Part::alone, true, c};
  switch (unicode_class(c)) {
    case UnicodeClass::letter:
    case UnicodeClass::mark:
      return script_without_spaces(c) ? Read{Part::alone, true, c} : Read{Part::inside, false, lower(c)};
    case UnicodeClass::number:
      return {Part::inside, false, '0'};
    case UnicodeClass::punctuation:
    case UnicodeClass::symbol:
      return {Part::alone, true, c};
    case UnicodeClass::format:
      return {Part::none, false, 0};
    default:
      return {};
  }
}

bool is_letter(char32_t c) noexcept {
  const UnicodeClass kind = unicode_class(c);
  return kind == UnicodeClass::letter || kind == UnicodeClass::mark;
}

const std::array<Read, 0x80>& ascii_reads() {
  static const auto table = [] {
    std::array<Read, 0x80> reads{};
    for (char32_t c = 0; c < 0x80; ++c) reads[c] = read(c);
    return reads;
  }();
  return table;
}

// Calls word(key, is_mark) for the words and marks of a text; with `digits`, each digit stands for itself.
template <class Word>
void each_word(std::string_view text, bool digits, Word found) {
  const auto& ascii = ascii_reads();
  std::uint64_t word = kStart;
  for (std::size_t place = 0; place < text.size();) {
    const auto byte = static_cast<unsigned char>(text[place]);
    Read character;
    char32_t code_point = byte;
    if (byte < 0x80) {
      character = ascii[byte];
      ++place;
    } else {
      const auto decoded = decode_utf8(text, place);
      code_point = decoded.code_point;
      character = read(code_point);
      place += decoded.length;
    }
    if (character.part == Part::inside) {
      word = (word ^ (digits && character.as == '0' ? code_point : character.as)) * kFactor;
      continue;
    }
    if (character.ends && word != kStart) {
      found(mix64(word), false);
      word = kStart;
    }
    if (character.part == Part::alone) {
      found(mix64((kStart ^ character.as) * kFactor), !is_letter(code_point));
    }
  }
  if (word != kStart) found(mix64(word), false);
}

// Calls feature(number) for the features of a text.
template <class Feature>
void each_feature(std::string_view text, Feature feature) {
  std::uint64_t before = kStart;
  each_word(text, false, [&](std::uint64_t key, bool) {
    feature(static_cast<std::uint32_t>(key >> (64 - kFeatureBits)));
    feature(static_cast<std::uint32_t>(mix64(before * kFactor + key) >> (64 - kFeatureBits)));
    before = key;
  });
}

}  // namespace

std::vector<std::uint32_t> text_features(std::string_view text) {
  std::vector<std::uint32_t> features;
  each_feature(text, [&](std::uint32_t number) { features.push_back(number); });
  return features;
}

ListedPhrases::ListedPhrases(const std::vector<std::string>& phrases) {
  for (const std::string& phrase : phrases) {
    std::uint64_t beginning = kStart;
    each_word(phrase, true, [&](std::uint64_t key, bool) {
      beginning = mix64(beginning * kFactor + key);
      beginnings_.try_emplace(beginning, false);
    });
    if (beginning != kStart) beginnings_[beginning] = true;
  }
}

TextSum ListedPhrases::measure(std::string_view text) {
  std::vector<std::pair<std::uint64_t, bool>> words;
  TextSum found;
  each_word(text, true, [&](std::uint64_t key, bool is_mark) {
    words.emplace_back(key, is_mark);
    found.parts += !is_mark;
  });
  for (std::size_t start = 0; start < words.size();) {
    std::uint64_t beginning = kStart;
    std::size_t end = start;
    std::int64_t counted = 0, listed = 0;
    for (std::size_t place = start; place < words.size(); ++place) {
      beginning = mix64(beginning * kFactor + words[place].first);
      const auto known = beginnings_.find(beginning);
      if (known == beginnings_.end()) break;
      counted += !words[place].second;
      if (known->second) {
        end = place + 1;
        listed = counted;
      }
    }
    found.sum += listed;
    start = std::max(end, start + 1);
  }
  return found;
}

TextSum FeatureWeights::measure(std::string_view text) {
  TextSum found;
  each_feature(text, [&](std::uint32_t number) {
    found.sum += weights_[number];
    ++found.parts;
  });
  return found;
}

}  // namespace corpusprep
