#include "corpusprep/trigrams.hpp"

#include <bit>
#include <stdexcept>

#include "corpusprep/unicode.hpp"

namespace corpusprep {

namespace {

constexpr char32_t kSpace = 0x20;
constexpr char32_t kEndOfLetters = 0x323B0;  // from here on: unassigned, private use, variation selectors

struct Range {
  char32_t first, last;
};
constexpr Range kSyllabic[] = {{0x1100, 0x11FF}, {0x3040, 0x30FF}, {0x3100, 0x312F}, {0x3400, 0x4DBF},
                               {0x4E00, 0x9FFF}, {0xAC00, 0xD7AF}, {0xF900, 0xFAFF}, {0x20000, 0x323AF}};

std::uint32_t entry(char32_t code_point, LetterClass kind) noexcept {
  return static_cast<std::uint32_t>(code_point) | static_cast<std::uint32_t>(kind) << 24;
}

constexpr std::uint64_t key_of(std::uint64_t left, std::uint64_t middle, std::uint64_t right) noexcept {
  return left << 42 | middle << 21 | right;
}

constexpr std::uint64_t hash(std::uint64_t key) noexcept { return key * 0x9E3779B97F4A7C15ULL; }

}  // namespace

LetterClass letter_class(char32_t code_point) noexcept {
  if (code_point >= kEndOfLetters) return LetterClass::other;
  const auto kind = unicode_class(code_point);
  if (kind != UnicodeClass::letter && kind != UnicodeClass::mark) return LetterClass::other;
  for (const auto& range : kSyllabic) {
    if (code_point >= range.first && code_point <= range.last) return LetterClass::syllable;
  }
  return LetterClass::letter;
}

CaseFolding::CaseFolding(std::span<const std::uint32_t, kSize> folded) {
  for (std::size_t i = 0; i < kSize; ++i) {
    entries_[i] = folded[i] == kUnknown ? kUnknown : entry(folded[i], letter_class(folded[i]));
  }
}

TrigramTable::TrigramTable(std::span<const std::span<const std::uint64_t>> keys,
                           std::span<const std::span<const std::uint32_t>> weights)
    : models_(keys.size()) {
  std::size_t most = 0;
  for (const auto& of_model : keys) most += of_model.size();
  if (most >= std::size_t{1} << 30) throw std::length_error("too many trigrams");
  const std::size_t slots = std::bit_ceil(most * 2 + 2);
  shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
  keys_.resize(slots);
  weights_.resize(slots * models_);
  for (std::size_t model = 0; model < models_; ++model) {
    for (std::size_t i = 0; i < keys[model].size(); ++i) {
      std::size_t slot = hash(keys[model][i]) >> shift_;
      while (keys_[slot] != keys[model][i] && keys_[slot]) slot = (slot + 1) & (slots - 1);
      keys_[slot] = keys[model][i];
      weights_[slot * models_ + model] = weights[model][i];
    }
  }
}

// `Models` is their number, or 0: any number. A number known when compiled keeps the sums in registers.
template <std::size_t Models, class Unit, class Classified>
std::size_t TrigramTable::walk_for(std::span<const Unit> text, Classified classified,
                                   std::uint64_t* sums) const noexcept {
  constexpr auto letter = static_cast<std::uint32_t>(LetterClass::letter);
  const auto* keys = keys_.data();
  const auto* weights = weights_.data();
  const std::size_t models = Models ? Models : models_, mask = keys_.size() - 1;
  const unsigned shift = shift_;
  std::array<std::uint64_t, Models> held{};
  std::size_t running = 0;
  std::uint64_t left = kSpace;
  std::uint32_t current = text.empty() ? 0 : classified(text[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t next = i + 1 < text.size() ? classified(text[i + 1]) : 0;
    const std::uint32_t code = current & 0x1FFFFF, kind = current >> 24;
    current = next;
    if (kind == 0) {
      left = kSpace;
      continue;
    }
    std::uint64_t key = key_of(kSpace, code, kSpace);
    if (kind == letter) {
      key = key_of(left, code, next >> 24 == letter ? next & 0x1FFFFF : kSpace);
      left = code;
    } else {
      left = kSpace;
    }
    ++running;
    std::size_t slot = hash(key) >> shift;
    while (keys[slot] != key && keys[slot]) slot = (slot + 1) & mask;
    if (!keys[slot]) continue;
    const auto* weight = weights + slot * models;
    for (std::size_t model = 0; model < models; ++model) (Models ? held[model] : sums[model]) += weight[model];
  }
  for (std::size_t model = 0; model < Models; ++model) sums[model] += held[model];
  return running;
}

template <class Unit, class Classified>
std::size_t TrigramTable::walk(std::span<const Unit> text, Classified classified,
                               std::uint64_t* sums) const noexcept {
  switch (models_) {
    case 1: return walk_for<1>(text, classified, sums);
    case 2: return walk_for<2>(text, classified, sums);
    case 3: return walk_for<3>(text, classified, sums);
    case 4: return walk_for<4>(text, classified, sums);
    case 5: return walk_for<5>(text, classified, sums);
    case 6: return walk_for<6>(text, classified, sums);
    case 7: return walk_for<7>(text, classified, sums);
    case 8: return walk_for<8>(text, classified, sums);
    default: return walk_for<0>(text, classified, sums);
  }
}

template <class Unit>
std::size_t TrigramTable::add_reduced(std::span<const Unit> text, std::uint64_t* sums) const noexcept {
  return walk(text, [](Unit unit) { return entry(unit, letter_class(unit)); }, sums);
}

template <class Unit>
bool TrigramTable::add(std::span<const Unit> text, const CaseFolding& folding, std::uint64_t* sums,
                       std::size_t& running) const noexcept {
  for (const Unit unit : text) {
    if (folding[unit] == CaseFolding::kUnknown) return false;
  }
  running += walk(text, [&folding](Unit unit) { return folding[unit]; }, sums);
  return true;
}

template std::size_t TrigramTable::add_reduced(std::span<const std::uint8_t>, std::uint64_t*) const noexcept;
template std::size_t TrigramTable::add_reduced(std::span<const std::uint16_t>, std::uint64_t*) const noexcept;
template std::size_t TrigramTable::add_reduced(std::span<const std::uint32_t>, std::uint64_t*) const noexcept;
template bool TrigramTable::add(std::span<const std::uint8_t>, const CaseFolding&, std::uint64_t*,
                                std::size_t&) const noexcept;
template bool TrigramTable::add(std::span<const std::uint16_t>, const CaseFolding&, std::uint64_t*,
                                std::size_t&) const noexcept;
template bool TrigramTable::add(std::span<const std::uint32_t>, const CaseFolding&, std::uint64_t*,
                                std::size_t&) const noexcept;

}  // namespace corpusprep
