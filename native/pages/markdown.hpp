// Writes blocks of a page as Markdown (CommonMark 0.31, with the tables of GitHub).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pages/outline.hpp"

namespace corpusprep {

// Indentation of a list in its item: enough for ordinals of two digits, and below an indented code block.
inline constexpr std::size_t kListIndent = 4;
// Cells of a data table have at most that many words in the mean, where no model tells the kinds of blocks.
inline constexpr std::uint64_t kCellWords = 20;
// Marks of quotations before a line, at most.
inline constexpr std::int32_t kMostQuotes = 3;

// A part of a block that is linked, or code. Start and end are positions in its text.
struct MarkdownSpan {
  std::uint32_t start, end;
  SpanKind kind;
  std::string_view target;  // of a link, as Markdown has it; one without is no link
};

enum class MarkdownKind : std::uint8_t { unknown, table, other };

// A block that is written. Texts are UTF-8.
struct MarkdownBlock {
  std::string_view text;
  std::string_view lines;  // of preformatted text, as they stand in the page; empty: its text
  Places places;
  MarkdownKind kind;
  std::uint64_t words;
  std::size_t first_span, end_span;  // its spans, in the order of their ends
};

// Returns the blocks as Markdown, without a line break at the end. Sorts the spans of each block. Time n log n in the
// number of spans of a block, linear in the size of the texts.
std::string markdown(const std::vector<MarkdownBlock>& blocks, std::vector<MarkdownSpan>& spans);

}  // namespace corpusprep
