// Finds text that a page has twice: for screens and for print, for wide windows and for narrow ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corpusprep {

// Running text is in blocks of so many words, of which fewer than two fifths are in links.
inline constexpr std::uint32_t kWordsOfRepeated = 12;
// A page repeats its text if more than one in so many words of its running text is in a block that it had before.
// A song with a chorus, or a form with the same sentence in each part, has fewer.
inline constexpr std::uint64_t kOneInRepeated = 3;

// Columns of the blocks of a page.
struct RepeatedColumns {
  const char* text;             // of all blocks
  const std::int64_t* offsets;  // blocks + 1 places in it
  const std::uint32_t *words, *link_words;
};

// Marks in `repeated` with 1 each block of running text that is the same as one before it, if the page repeats its
// text; all others are 0. Time n log n in the number of blocks, and in the size of the text.
void mark_repeated(const RepeatedColumns& columns, std::size_t blocks, std::uint8_t* repeated);

}  // namespace corpusprep
