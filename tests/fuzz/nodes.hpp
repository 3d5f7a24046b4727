// Nodes of a tree as libxml2 has them, made one by one and held for as long as the tree.
#pragma once

#include <libxml/tree.h>

#include <deque>
#include <string>
#include <utility>

class Nodes {
 public:
  // A node by itself: without a name, without text.
  xmlNode* node(xmlElementType type) {
    nodes_.push_back({});
    nodes_.back().type = type;
    return &nodes_.back();
  }
  // A node that becomes the last child of `parent`.
  xmlNode* append(xmlNode* parent, xmlElementType type) {
    auto* child = node(type);
    child->parent = parent;
    (parent->last ? parent->last->next : parent->children) = child;
    parent->last = child;
    return child;
  }
  // An attribute in front of the element's others, without a value.
  xmlAttr* attribute(xmlNode* element, const char* name) {
    attributes_.push_back({});
    xmlAttr& made = attributes_.back();
    made.type = XML_ATTRIBUTE_NODE;
    made.name = reinterpret_cast<const xmlChar*>(name);
    made.next = element->properties;
    element->properties = &made;
    return &made;
  }
  xmlNode* value(xmlAttr* attribute, xmlChar* text) {
    attribute->children = node(XML_TEXT_NODE);
    attribute->children->content = text;
    return attribute->children;
  }
  // A text that stays; a zero byte ends it for those who read it.
  xmlChar* keep(std::string text) {
    texts_.push_back(std::move(text));
    return reinterpret_cast<xmlChar*>(texts_.back().data());
  }

 private:
  std::deque<xmlNode> nodes_;
  std::deque<xmlAttr> attributes_;
  std::deque<std::string> texts_;
};
