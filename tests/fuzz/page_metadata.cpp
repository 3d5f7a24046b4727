// Fuzz target: marks of a page about itself, over trees with attributes that the input describes.
#include "pages/page_metadata.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "demand.hpp"
#include "input.hpp"
#include "nodes.hpp"

namespace {

const char* const kElements[] = {"meta", "link", "a", "time", "script", "html", "span", "div", "style", "template", ""};
const char* const kAttributes[] = {"name", "property", "http-equiv", "itemprop", "content", "href",  "rel",
                                   "lang", "xml:lang", "datetime",   "type",     "class",   "other", "pubdate"};
const char* const kValues[] = {"author",   "datePublished", "canonical", "license",       "application/ld+json",
                               "og:title", "byline",        "robots",    "entry-date fn", ""};

// Each round of the input opens an element with attributes, closes some, and adds a text.
class Tree {
 public:
  explicit Tree(Input input) {
    xmlNode* open = root_ = nodes_.node(XML_ELEMENT_NODE);
    root_->name = name_of(kElements[5]);
    while (!input.ended()) {
      const std::uint8_t code = input.byte();
      auto* element = nodes_.append(open, XML_ELEMENT_NODE);
      element->name = name_of(kElements[code % std::size(kElements)]);
      for (unsigned count = input.byte() % 4; count > 0; --count) attribute(element, input);
      if (code & 0x40) open = element;
      for (unsigned count = code >> 7 ? input.byte() % 8 : 0; count > 0 && open != root_; --count) open = open->parent;
      if (code & 0x20) {
        nodes_.append(open, code & 0x10 ? XML_TEXT_NODE : XML_CDATA_SECTION_NODE)->content = content(input);
      }
    }
  }

  const xmlNode* root() const { return root_; }

 private:
  static const xmlChar* name_of(const char* name) { return reinterpret_cast<const xmlChar*>(name); }
  // Some texts are longer than what is taken of a page.
  xmlChar* content(Input& input) {
    const std::uint8_t length = input.byte();
    auto text = utf8_of(input.text(length));
    if (length == 255) text.resize((std::size_t{1} << 18) + length, 'x');
    if (length == 254) text.resize(5000, 'x');
    return nodes_.keep(std::move(text));
  }
  void attribute(xmlNode* element, Input& input) {
    auto* made = nodes_.attribute(element, kAttributes[input.byte() % std::size(kAttributes)]);
    const std::uint8_t code = input.byte();
    if (code % 8) nodes_.value(made, code % 2 ? nodes_.keep(kValues[code % std::size(kValues)]) : content(input));
  }

  Nodes nodes_;
  xmlNode* root_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Tree tree(Input(data, size));
  const auto marks = corpusprep::page_marks(tree.root());
  demand(marks.size() <= corpusprep::kMostMarks);
  std::size_t scripts = 0;
  for (const auto& [kind, key, value] : marks) {
    const bool script = kind == corpusprep::MarkKind::kScript;
    demand(value.size() <= (script ? corpusprep::kLongestScript : corpusprep::kLongestValue));
    demand(script || !value.empty());
    demand(std::none_of(key.begin(), key.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
    if (script) scripts += value.size();
  }
  demand(scripts <= corpusprep::kScriptBytes);
  const auto again = corpusprep::page_marks(tree.root());
  demand(std::equal(marks.begin(), marks.end(), again.begin(), again.end(), [](const auto& left, const auto& right) {
    return left.kind == right.kind && left.key == right.key && left.value == right.value;
  }));
  return 0;
}
