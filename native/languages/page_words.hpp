// Counts listed words in the beginning of the text of pages, which tells the language of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "languages/listed_words.hpp"

namespace corpusprep {

// Pages as blocks of text (UTF-8).
struct PageBlocks {
  std::string_view text;
  std::span<const std::int64_t> offsets;    // of each block in the text, and where the last one ends; ascending
  std::span<const std::int64_t> pages;      // the first block of each page, and the number of blocks; ascending
  std::span<const std::uint8_t> preferred;  // by block: whether it counts first
};

// What a page's text has.
struct PageWords {
  std::vector<std::uint32_t> counts;         // pages x lists
  std::vector<std::uint8_t> without_spaces;  // by page: whether it has a script that may be written without spaces
};

// Counts the words of each page's sample: its preferred blocks, separated by line feeds, up to most_bytes without a
// character that is cut; all of its blocks if these have fewer characters than least_characters.
PageWords page_words(const ListedWords& lists, const PageBlocks& blocks, std::size_t most_bytes,
                     std::size_t least_characters);

}  // namespace corpusprep
