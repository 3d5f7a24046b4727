#include "pages/structure.hpp"

namespace corpusprep {

void StructureBuilder::add_piece(std::int64_t end, std::uint32_t words, bool linked, bool glued) {
  const auto begun = words - words_;
  if (cut_) word_linked_ = false;
  columns_.piece_ends.push_back(end);
  columns_.words.push_back(begun);
  columns_.link_words.push_back(linked ? begun + (glued && !word_linked_) : 0);
  columns_.markup.push_back(markup_);
  columns_.flags.push_back(
      static_cast<std::uint8_t>((linked ? kLinked : 0) | (glued ? kGlued : 0) | (cut_ ? kCut : 0)));
  word_linked_ = linked || (word_linked_ && begun == 0);
  words_ = words;
  markup_ = 0;
  cut_ = false;
}

void StructureBuilder::move_ends(std::int64_t from, std::int64_t to) noexcept {
  for (auto end = columns_.piece_ends.rbegin(); end != columns_.piece_ends.rend() && *end > from; ++end) *end = to;
}

void StructureBuilder::open(Element element) {
  ++markup_;
  cut_ |= !element.link;
  open_.push_back(columns_.element_ends.size());
  columns_.element_ends.push_back(0);
  columns_.element_pieces.push_back(static_cast<std::int64_t>(columns_.piece_ends.size()));
  columns_.element_piece_ends.push_back(0);
  columns_.element_names.push_back(element.name);
  columns_.element_structural.push_back(element.block || element.line_break);
}

void StructureBuilder::close(Element element) {
  markup_ += !element.empty;
  cut_ |= !element.link;
  end_element();
}

void StructureBuilder::end_element() {
  columns_.element_ends[open_.back()] = static_cast<std::int64_t>(columns_.element_ends.size());
  columns_.element_piece_ends[open_.back()] = static_cast<std::int64_t>(columns_.piece_ends.size());
  open_.pop_back();
}

void StructureBuilder::end_block() {
  columns_.block_pieces.push_back(static_cast<std::int64_t>(columns_.piece_ends.size()));
  words_ = 0;
}

void StructureBuilder::abandon_page(std::size_t blocks) {
  const auto resize = [](std::size_t size, auto&... columns) { (columns.resize(size), ...); };
  StructureColumns& c = columns_;
  resize(blocks + 1, c.block_pieces);
  resize(static_cast<std::size_t>(c.block_pieces.back()), c.piece_ends, c.words, c.link_words, c.markup, c.flags);
  resize(static_cast<std::size_t>(c.page_elements.back()), c.element_ends, c.element_pieces, c.element_piece_ends,
         c.element_names, c.element_structural);
  open_.clear();
  words_ = markup_ = 0;
  cut_ = true;
  word_linked_ = false;
}

void StructureBuilder::end_page() {
  while (!open_.empty()) end_element();
  columns_.page_elements.push_back(static_cast<std::int64_t>(columns_.element_ends.size()));
  markup_ = 0;
  cut_ = true;
}

}  // namespace corpusprep
