// Fuzz target: the page walk over trees described by the input, including trees that no parser builds.
#include "pages/page_walk.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "demand.hpp"
#include "nodes.hpp"

namespace {

using corpusprep::kBlockTags;

const char* const kOthers[] = {"br",    "a",   "b",        "span",       "select", "head", "script",
                               "style", "svg", "template", "annotation", "x-y",    ""};

// Each byte says what follows: a text of that many bytes, an element, its end, or a node without meaning.
class Tree {
 public:
  Tree(const std::uint8_t* data, std::size_t size) {
    for (const auto name : kBlockTags) names_.emplace_back(name);
    for (const auto* name : kOthers) names_.emplace_back(name);
    root_ = nodes_.node(XML_ELEMENT_NODE);
    root_->name = name(0);
    xmlNode* open = root_;
    for (std::size_t i = 0; i < size; ++i) {
      const unsigned code = data[i];
      if (code < 64) {
        const std::size_t length = std::min<std::size_t>(code, size - i - 1);
        auto* text = nodes_.append(open, code % 8 ? XML_TEXT_NODE : XML_CDATA_SECTION_NODE);
        if (length) text->content = nodes_.keep({reinterpret_cast<const char*>(data + i + 1), length});
        i += length;
      } else if (code < 160) {
        auto* element = nodes_.append(open, XML_ELEMENT_NODE);
        element->name = name(code - 64);
        if (code % 2) open = element;
      } else if (code < 250) {
        if (open != root_) open = open->parent;
      } else {
        nodes_.append(open, code % 2 ? XML_COMMENT_NODE : XML_PI_NODE);
      }
    }
  }

  const xmlNode* root() const { return root_; }

 private:
  const xmlChar* name(std::size_t number) const {
    return reinterpret_cast<const xmlChar*>(names_[number % names_.size()].c_str());
  }

  Nodes nodes_;
  std::vector<std::string> names_;
  xmlNode* root_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const corpusprep::WordSet stop_words({"a", "the", "of", "\xC3\xA9"});
  const Tree tree(data, size);
  corpusprep::BlockColumns blocks;
  corpusprep::BlockBuilder builder(stop_words, blocks);
  corpusprep::BlockColumns unseen;
  corpusprep::HiddenText hidden(stop_words, unseen, 0);
  corpusprep::walk_page(tree.root(), builder, hidden);
  corpusprep::walk_page(tree.root(), builder, hidden);  // nothing may remain of the page before

  demand(hidden.before().size() == unseen.size() && unseen.pages.size() == 3 && unseen.size() % 2 == 0);
  const auto count = blocks.size();
  demand(blocks.offsets.size() == count + 1 && blocks.pages.size() == 3 && count % 2 == 0);
  demand(blocks.offsets.back() == static_cast<std::int64_t>(blocks.text.size()));
  demand(blocks.pages[1] == static_cast<std::int64_t>(count / 2) &&
         blocks.pages[2] == static_cast<std::int64_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    demand(blocks.offsets[i] < blocks.offsets[i + 1]);
    demand(blocks.words[i] > 0 && blocks.link_words[i] <= blocks.words[i]);
    demand(blocks.stop_words[i] <= blocks.alphabetic_words[i]);
    demand(blocks.tags[i] < kBlockTags.size());
    if (i < count / 2) demand(blocks.words[i] == blocks.words[i + count / 2]);
  }
  return 0;
}
