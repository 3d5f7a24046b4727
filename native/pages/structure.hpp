// The structure of a page around its blocks: elements, and the pieces of text between two tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pages/element.hpp"

namespace corpusprep {

enum PieceFlag : std::uint8_t {
  kLinked = 1,  // inside <a>
  kGlued = 2,   // its first word continues the piece before
  kCut = 4,     // a tag other than <a> or </a>, or the start of the page, is before it
};

// Structure of one or more pages. A piece contains no tag; the pieces of a block, one after another, are its text.
struct StructureColumns {
  std::vector<std::int64_t> piece_ends;    // position in the text where each piece ends; the first starts at 0
  std::vector<std::int64_t> block_pieces;  // blocks + 1: block b has the pieces from [b] to [b + 1]
  std::vector<std::uint32_t> words;        // that begin in the piece
  std::vector<std::uint32_t> link_words;   // words whose first linked character since the last cut is in the piece
  std::vector<std::uint32_t> markup;  // start and end tags between it and the piece before, or the start of the page
  std::vector<std::uint8_t> flags;    // PieceFlag
  std::vector<std::int64_t> page_elements;       // pages + 1: page p has the elements from [p] to [p + 1]
  std::vector<std::int64_t> element_ends;        // number of the first element after the subtree
  std::vector<std::int64_t> element_pieces;      // number of the first piece at or after its start
  std::vector<std::int64_t> element_piece_ends;  // number of the first piece after its end
  std::vector<std::uint32_t> element_names;      // a hash of the name
  std::vector<std::uint8_t> element_structural;  // 1: block-level, or a line break

  StructureColumns() : block_pieces{0}, page_elements{0} {}
};

// Follows a walk over pages and fills the columns, which must outlive it.
class StructureBuilder {
 public:
  explicit StructureBuilder(StructureColumns& columns) : columns_(columns) {}

  std::int64_t text_end() const noexcept { return columns_.piece_ends.empty() ? 0 : columns_.piece_ends.back(); }
  // Adds the text up to `end`. `words` counts the words of the block so far.
  void add_piece(std::int64_t end, std::uint32_t words, bool linked, bool glued);
  // Moves the ends of pieces behind `from` to `to`: the text between was written again.
  void move_ends(std::int64_t from, std::int64_t to) noexcept;
  void open(Element element);
  void close(Element element);
  void end_block();
  void end_page();
  void abandon_page(std::size_t blocks);  // takes all behind that many blocks back

 private:
  void end_element();

  StructureColumns& columns_;
  std::vector<std::size_t> open_;  // the elements around the current node
  std::uint32_t words_ = 0, markup_ = 0;
  bool cut_ = true, word_linked_ = false;
};

}  // namespace corpusprep
