// The outline of a page: what Markdown says of a block beside its text. Headings have levels, items their lists, cells
// their rows and tables; preformatted text keeps its lines; links have addresses.
#pragma once

#include <libxml/tree.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pages/element.hpp"

namespace corpusprep {

// Where a block stands. Numbers of items, preformatted parts, tables, rows and cells count from 1 over all pages of the
// columns, in document order; 0: the block is in none. Of nested elements, the innermost counts.
enum class Place : std::size_t {
  level,         // 1 to 6 inside h1 … h6; otherwise 0
  quotes,        // <blockquote> elements around it
  lists,         // <ul>, <ol>, <menu> elements around it
  ordinal,       // of its item in an <ol>, from 1 or `start` on; 0 in other lists
  item,          // its <li>
  preformatted,  // its <pre>
  table,         // its <table>
  row,           // its <tr>
  cell,          // its <td> or <th>
  size
};
inline constexpr std::size_t kPlaces = static_cast<std::size_t>(Place::size);
using Places = std::array<std::int32_t, kPlaces>;

enum class SpanKind : std::uint8_t { link, code };
// Spans inside more of them than this are left out: blocks inside an element that is never closed would repeat them
// all.
inline constexpr std::size_t kMostOpenSpans = 16;

// Outlines of blocks of one or more pages.
struct OutlineColumns {
  std::vector<Places> places;              // per block
  std::string lines;                       // preformatted text of all blocks as it stands, line breaks included
  std::vector<std::int64_t> line_offsets;  // blocks + 1 positions in `lines`
  // Parts of blocks, in the order of their ends. Start and end are positions in the text of the block.
  std::vector<std::int64_t> span_blocks;
  std::vector<std::uint32_t> span_starts, span_ends;
  std::vector<std::uint8_t> span_kinds;      // SpanKind
  std::vector<std::int64_t> span_targets;    // of a link, the number of its address; -1 for others
  std::string targets;                       // addresses of links as they stand, one after another
  std::vector<std::int64_t> target_offsets;  // addresses + 1

  OutlineColumns() : line_offsets{0}, target_offsets{0} {}
  void clear();  // keeps the memory
};

// Follows a walk over pages and fills the columns, which must outlive it. Linear time in the size of the page.
class OutlineBuilder {
 public:
  explicit OutlineBuilder(OutlineColumns& columns) : columns_(columns) {}

  // An element that the walk enters or leaves; `text_end`: bytes of the text of all blocks so far.
  void open(const Element& element, const xmlNode& node, std::size_t text_end);
  void close(std::size_t text_end);
  void text(std::string_view utf8) {
    if (place(Place::preformatted)) columns_.lines.append(utf8);
  }
  // Moves the places behind `from` where spans of the block begin or end: the text from there to `to` was written
  // again.
  void move_spans(std::size_t from, std::size_t to) noexcept;
  void begin_block(std::size_t text_end);  // what follows belongs to a new block
  void end_block(std::size_t text_end);    // the block has text
  void end_page();
  void abandon_page(std::size_t blocks);  // the page is forgotten; `blocks` are of the pages before

 private:
  enum class Kind : std::uint8_t { none, place, ordered, span };
  struct List {
    bool ordered;
    std::int32_t next;
  };
  struct Span {
    SpanKind kind;
    std::size_t start;
    std::string_view target;  // in the tree
    std::int64_t number;      // of the target; -1: it is not in the columns yet
  };
  std::int32_t& place(Place which) { return now_[static_cast<std::size_t>(which)]; }
  void add_span(Span& span, std::size_t text_end);

  OutlineColumns& columns_;
  Places now_{}, block_{};
  std::vector<Kind> open_;      // per open element
  std::vector<Places> around_;  // the places outside of the open elements that changed them
  std::vector<List> lists_;
  std::vector<Span> spans_;  // open ones
  std::size_t block_start_ = 0;
  std::int32_t items_ = 0, preformatted_ = 0, tables_ = 0, rows_ = 0, cells_ = 0;
};

}  // namespace corpusprep
