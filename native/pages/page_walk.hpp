// From a tree of libxml2 to blocks. Uses the headers of libxml2 (lxml contains them) for the layout of the tree, but
// calls no function of libxml2.
#pragma once

#include <libxml/tree.h>

#include <string>
#include <vector>

#include "pages/segmentation.hpp"

namespace corpusprep {

// What is text although most readers of the page do not see it.
struct KeptText {
  bool hidden = false;    // what is not shown
  bool readings = false;  // how characters are read (ruby)
};

// Text of pages that is not shown, as blocks; `before` has for each how many blocks of its page are complete before it.
class HiddenText {
 public:
  // Arguments are those of BlockBuilder, for the columns of this text.
  HiddenText(const WordSet& stop_words, BlockColumns& columns, double characters_per_word)
      : builder_(stop_words, columns, characters_per_word) {}

  BlockBuilder& builder() noexcept { return builder_; }
  const std::vector<std::int64_t>& before() const noexcept { return before_; }
  void clear() { before_.clear(); }
  void end_text(std::size_t blocks_before);  // ends what is not shown at one place
  void abandon_page();

 private:
  BlockBuilder builder_;
  std::vector<std::int64_t> before_;
};

// Walks the tree below `root` in document order and ends the page. Iterative: the depth of the tree takes no stack. The
// tree is only read and must not change during the walk.
//
// Text that is not shown goes to `hidden`, unless `kept` says so or the page shows less than it hides: then scripts
// show it. <noscript> is shown on pages with hardly any other text, unless it only asks for JavaScript.
void walk_page(const xmlNode* root, BlockBuilder& builder, HiddenText& hidden, KeptText kept = {});

// Ends a page without blocks.
void skip_page(BlockBuilder& builder, HiddenText& hidden);

// Returns the text inside the first <title> below `root` in document order, unchanged; "" if there is none. Iterative.
std::string page_title(const xmlNode* root);

}  // namespace corpusprep
