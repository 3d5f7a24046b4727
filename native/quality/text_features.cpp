#include "quality/text_features.hpp"

#include <array>

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

const std::array<Read, 0x80>& ascii_reads() {
  static const auto table = [] {
    std::array<Read, 0x80> reads{};
    for (char32_t c = 0; c < 0x80; ++c) reads[c] = read(c);
    return reads;
  }();
  return table;
}

// Calls feature(number) for the features of a text.
template <class Feature>
void each_feature(std::string_view text, Feature feature) {
  const auto& ascii = ascii_reads();
  std::uint64_t word = kStart, before = kStart;
  const auto add = [&](std::uint64_t key) {
    key = mix64(key);
    feature(static_cast<std::uint32_t>(key >> (64 - kFeatureBits)));
    feature(static_cast<std::uint32_t>(mix64(before * kFactor + key) >> (64 - kFeatureBits)));
    before = key;
  };
  for (std::size_t place = 0; place < text.size();) {
    const auto byte = static_cast<unsigned char>(text[place]);
    Read character;
    if (byte < 0x80) {
      character = ascii[byte];
      ++place;
    } else {
      const auto decoded = decode_utf8(text, place);
      character = read(decoded.code_point);
      place += decoded.length;
    }
    if (character.part == Part::inside) {
      word = (word ^ character.as) * kFactor;
      continue;
    }
    if (character.ends && word != kStart) {
      add(word);
      word = kStart;
    }
    if (character.part == Part::alone) add((kStart ^ character.as) * kFactor);
  }
  if (word != kStart) add(word);
}

}  // namespace

std::vector<std::uint32_t> text_features(std::string_view text) {
  std::vector<std::uint32_t> features;
  each_feature(text, [&](std::uint32_t number) { features.push_back(number); });
  return features;
}

FeatureSum feature_sum(std::string_view text, std::span<const std::int16_t> weights) {
  FeatureSum sum;
  each_feature(text, [&](std::uint32_t number) {
    sum.weights += weights[number];
    ++sum.features;
  });
  return sum;
}

}  // namespace corpusprep
