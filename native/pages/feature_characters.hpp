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

FeatureCharacter find_feature_character(char32_t c) noexcept;
const std::array<FeatureCharacter, kTabled>& feature_characters() noexcept;  // from U+0080 on

inline FeatureCharacter feature_character(char32_t c) noexcept {
  return c < kTabled ? feature_characters()[c] : find_feature_character(c);
}

}  // namespace corpusprep
