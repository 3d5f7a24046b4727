// From a tree of libxml2 to blocks. Uses the headers of libxml2 (lxml contains them) for the layout of the tree, but
// calls no function of libxml2.
#pragma once

#include <libxml/tree.h>

#include <string>

#include "pages/segmentation.hpp"

namespace corpusprep {

// Walks the tree below `root` in document order and ends the page. Iterative: the depth of the tree takes no stack. The
// tree is only read and must not change during the walk.
void walk_page(const xmlNode* root, BlockBuilder& builder);

// Returns the text inside the first <title> below `root` in document order, unchanged; "" if there is none. Iterative.
std::string page_title(const xmlNode* root);

}  // namespace corpusprep
