// Features of the text of blocks that Victor reads beside those of pages/features.hpp (Spousta, Marek and Pecina 2008).
//
// A feature is a whole number from 0 to 255. tests/support/plain_victor.py has the same in plain Python.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pages/feature_list.hpp"

namespace corpusprep {

// A token is a sequence without spaces. Shares are 255 a / b, rounded down; 0 if b is 0. Counts end at 255.
inline constexpr std::array<FeatureDescription, 15> kVictorFeatures = {{
    {"letter_share", "share of characters that are letters or marks", "Spousta, Marek and Pecina 2008"},
    {"space_share", "share of characters that are spaces", "Spousta, Marek and Pecina 2008"},
    {"symbol_share", "share of characters that are no letters, digits, punctuation or spaces",
     "Spousta, Marek and Pecina 2008"},
    {"letter_tokens", "share of tokens with letters and without digits", "Spousta, Marek and Pecina 2008"},
    {"digit_tokens", "share of tokens with digits and without letters", "Spousta, Marek and Pecina 2008"},
    {"mixed_tokens", "share of tokens with both", "Spousta, Marek and Pecina 2008"},
    {"other_tokens", "share of tokens with neither", "Spousta, Marek and Pecina 2008"},
    {"sentences", "tokens that end a sentence, and ideographic full stops", "Marek, Pecina and Spousta 2007"},
    {"sentence_words", "words per sentence; without a sentence end, all words", "Marek, Pecina and Spousta 2007"},
    {"dates", "dates in digits, and English names of months beside a number", "Spousta, Marek and Pecina 2008"},
    {"times", "times of day: 9:30, 09:30:00, 9:30pm", "Spousta, Marek and Pecina 2008"},
    {"addresses", "tokens that begin as a Web address", "Spousta, Marek and Pecina 2008"},
    {"bullet", "1: begins with a bullet", "Spousta, Marek and Pecina 2008"},
    {"repeated", "blocks of the page before it with the same text", "Spousta, Marek and Pecina 2008"},
    {"page_sentences", "sentences of the page", "Spousta, Marek and Pecina 2008"},
}};

// Writes the features of the blocks of one page. Block i is text[offsets[i]:offsets[i + 1]], UTF-8 with single spaces
// inside; `words` has its number of words. `values` gets one row per feature, `stride` values apart. Linear time but
// for a sort of the blocks.
void victor_features(std::string_view text, const std::int64_t* offsets, const std::uint32_t* words, std::size_t blocks,
                     std::uint8_t* values, std::size_t stride);

}  // namespace corpusprep
