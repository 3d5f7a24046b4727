#include "pages/page_walk.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pages/features.hpp"

namespace corpusprep {

namespace {

// Names come from the dictionary of the document: equal names have equal pointers. This small direct-mapped cache saves
// lookups. It lives as long as one walk, so the meaning of a pointer cannot change.
class ElementCache {
 public:
  // Valid up to the next call. A reference: compilers copy the many small parts of a value one by one.
  const Element& find(const xmlChar* name) {
    auto& slot = slots_[(reinterpret_cast<std::uintptr_t>(name) >> 3) & (slots_.size() - 1)];
    if (slot.name != name) {
      slot = {name, element_named(reinterpret_cast<const char*>(name))};
    }
    return slot.element;
  }

 private:
  struct Slot {
    const xmlChar* name = nullptr;
    Element element;
  };
  std::array<Slot, 256> slots_{};
};

// Returns the node after `node` in document order below `root`, or null.
const xmlNode* following(const xmlNode* node, const xmlNode* root) {
  if (node->type == XML_ELEMENT_NODE && node->children) return node->children;
  while (node != root && !node->next) node = node->parent;
  return node == root ? nullptr : node->next;
}

bool is_text(const xmlNode* node) {
  return (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) && node->content;
}

}  // namespace

void walk_page(const xmlNode* root, BlockBuilder& builder) {
  ElementCache cache;
  FeatureBuilder* const features = builder.features();
  std::vector<Element> open;  // the elements around the current node, from the root
  const xmlNode* node = root;
  while (node) {
    if (node->type == XML_ELEMENT_NODE) {
      const Element& element = cache.find(node->name);
      const bool in_head = !open.empty() && open.back().head;
      // The parser puts what follows a stray tag or text in <head> into <body>.
      if (features && element.metadata) features->metadata(*node);
      if (!element.removed && !(in_head && element.metadata)) {
        if (features) features->open(element, *node, builder.text_end());
        builder.open(element);
        if (node->children) {
          open.push_back(element);
          node = node->children;
          continue;
        }
        builder.close(element);
        if (features) features->close(builder.text_end());
      }
    } else if (is_text(node)) {
      builder.text(reinterpret_cast<const char*>(node->content));
    }
    while (node != root && !node->next) {
      node = node->parent;
      builder.close(open.back());
      if (features) features->close(builder.text_end());
      open.pop_back();
    }
    node = node == root ? nullptr : node->next;
  }
  builder.end_page();
}

std::string page_title(const xmlNode* root) {
  std::string text;
  const xmlNode* title = following(root, root);
  const auto is_title = [](const xmlNode* node) {
    return node->type == XML_ELEMENT_NODE && std::string_view(reinterpret_cast<const char*>(node->name)) == "title";
  };
  while (title && !is_title(title)) title = following(title, root);
  for (const xmlNode* node = title; node; node = following(node, title)) {
    if (is_text(node)) text += reinterpret_cast<const char*>(node->content);
  }
  return text;
}

}  // namespace corpusprep
