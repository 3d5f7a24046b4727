#include "languages/trigrams.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "text/unicode.hpp"

namespace corpusprep {

namespace {

constexpr char32_t kEndOfLetters = 0x323B0;  // from here on: unassigned, private use, variation selectors

struct Range {
  char32_t first, last;
};
constexpr Range kSyllabic[] = {{0x1100, 0x11FF}, {0x3040, 0x30FF}, {0x3100, 0x312F}, {0x3400, 0x4DBF},
                               {0x4E00, 0x9FFF}, {0xAC00, 0xD7AF}, {0xF900, 0xFAFF}, {0x20000, 0x323AF}};

// The zeros of category Nd, ascending. The digits 1 to 9 follow each of them.
constexpr char32_t kZeros[] = {0x30,    0x660,   0x6F0,   0x7C0,   0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,
                               0xC66,   0xCE6,   0xD66,   0xDE6,   0xE50,   0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,
                               0x1810,  0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,
                               0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066,
                               0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0,
                               0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2,
                               0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0};

bool is_digit(char32_t code_point) noexcept {
  const auto* above = std::ranges::upper_bound(kZeros, code_point);
  return above != std::begin(kZeros) && code_point - above[-1] < 10;
}

bool is_syllable(char32_t code_point) noexcept {
  return std::ranges::any_of(kSyllabic,
                             [&](const Range& range) { return code_point >= range.first && code_point <= range.last; });
}

}  // namespace

Letter letter_of(char32_t code_point) noexcept {
  const auto kind = unicode_class(code_point);
  const bool letter = kind == UnicodeClass::letter;
  std::uint32_t classes = 0;
  if (letter || (kind == UnicodeClass::number && !is_digit(code_point))) classes |= letter_class::of_word;
  if (code_point < kEndOfLetters && (letter || kind == UnicodeClass::mark)) {
    classes |= is_syllable(code_point) ? letter_class::syllable : letter_class::joined;
  }
  if (classes == 0) return 0;
  if (classes != letter_class::letter || code_point > 0xFFFF) classes |= letter_class::special;
  return static_cast<Letter>(code_point) | classes << kClassShift;
}

bool folds_to_itself(char32_t code_point) noexcept {
  if (in_range(code_point, 0x4E00, 0x9FFF) || in_range(code_point, 0xAC00, 0xD7A3)) return true;
  if (in_range(code_point, 0xFE00, 0xFE0F)) return true;
  if (in_range(code_point, 0x1D15E, 0x1D164) || in_range(code_point, 0x1D1BB, 0x1D1C0)) return false;
  const auto kind = unicode_class(code_point);
  return kind != UnicodeClass::letter && kind != UnicodeClass::mark;
}

CaseFolding::CaseFolding(std::span<const std::uint32_t, kSize> folded) {
  for (std::size_t i = 0; i < kSize; ++i) {
    folded_[i] = folded[i] == kUnknown ? kUnknown : letter_of(folded[i]);
    kept_[i] = letter_of(static_cast<char32_t>(i));
  }
}

TrigramTable::TrigramTable(std::span<const std::span<const std::uint64_t>> keys,
                           std::span<const std::span<const std::uint32_t>> weights)
    : models_(keys.size()) {
  std::size_t most = 0;
  for (const auto& of_model : keys) most += of_model.size();
  if (most >= std::size_t{1} << 30) throw std::length_error("the models have 2^30 trigrams or more");
  // Half of the trigrams of several models are in another one, too.
  rows_.reserve(most / 2);
  weights_.reserve(most / 2 * models_);
  for (std::size_t model = 0; model < models_; ++model) {
    for (std::size_t i = 0; i < keys[model].size(); ++i) {
      const std::uint32_t row = rows_.insert(keys[model][i], static_cast<std::uint32_t>(rows_.size()));
      weights_.resize(rows_.size() * models_);
      weights_[row * models_ + model] = weights[model][i];
      largest_ = std::max(largest_, weights[model][i]);
    }
  }
}

}  // namespace corpusprep
