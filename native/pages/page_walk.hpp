// From libxml2's tree to blocks. Needs libxml2's headers (lxml ships them) for the tree's layout, no libxml2 function.
#pragma once

#include <libxml/tree.h>

#include <string>

#include "pages/segmentation.hpp"

namespace corpusprep {

// Walks the tree below `root` in document order and ends the page. Iterative: depth costs no stack. The tree is
// read only; it must not change meanwhile.
void walk_page(const xmlNode* root, BlockBuilder& builder);

// The text inside the first <title> below `root` in document order, as it stands there; "" if there is none. Iterative.
std::string page_title(const xmlNode* root);

}  // namespace corpusprep
