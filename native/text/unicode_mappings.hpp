// Case mappings and canonical composition of texts, with the same version of Unicode on all machines.
//
// Each function returns what the method of the same name of Python's str or unicodedata returns under that version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace corpusprep {

// Normalisation forms C and D (Unicode Standard Annex 15).
std::u32string nfc(std::u32string_view text);
std::u32string nfd(std::u32string_view text);
// Returns a text (UTF-8) in form C; nothing if it is in this form already, which takes one look at each character
// outside ASCII. Bytes that are not UTF-8 stay. Linear in the length of the text, but for long sequences of marks,
// which are sorted.
std::optional<std::string> nfc(std::string_view utf8);
// Returns whether a character never changes in form C, and never changes with a character before it.
bool nfc_settled(char32_t character) noexcept;

// Full case mappings, which may change the length. A capital sigma at the end of a word becomes a final sigma.
std::u32string lower(std::u32string_view text);
std::u32string upper(std::u32string_view text);
std::u32string casefold(std::u32string_view text);
// The lower case of a character by itself; the character if it has none or becomes several.
char32_t lower(char32_t character) noexcept;
// The title case of each character by itself.
std::u32string title(std::u32string_view text);

}  // namespace corpusprep
