// What the features ask of a character beyond ASCII.
#pragma once

#include <array>
#include <cstdint>

namespace corpusprep {

// What a character is, as the feature last_character has it. Letters and marks are kCapital or kSmall, numbers kDigit.
enum CharacterMark : std::uint8_t {
  kOther,
  kDigit,
  kCapital,
  kSmall,
  kComma,
  kColon,
  kEllipsis,
  kClosing,
  kQuestion,
  kStop
};

// Returns the small letter of a capital of the Latin, Greek and Cyrillic letters in use; other characters unchanged.
char32_t small_letter(char32_t c) noexcept;

struct FeatureCharacter {
  std::uint8_t to_small;  // what is added to a capital for its small letter
  CharacterMark mark;
  bool alone;  // of a script without spaces
};

inline constexpr char32_t kTabled = 0x10000;
inline constexpr std::array<std::uint8_t, 4> kToSmall = {0, 1, 32, 80};

FeatureCharacter find_feature_character(char32_t c) noexcept;
// From U+0080 on, in one byte: the mark, 16 if alone, 32 times the place in kToSmall. Pages in many scripts need much
// of the table, and the cache has other uses.
const std::array<std::uint8_t, kTabled>& feature_characters() noexcept;

inline FeatureCharacter feature_character(char32_t c) noexcept {
  if (c >= kTabled) return find_feature_character(c);
  const unsigned code = feature_characters()[c];
  return {kToSmall[code >> 5], static_cast<CharacterMark>(code & 15U), (code & 16U) != 0};
}

}  // namespace corpusprep
