// Fuzz target: features of blocks over trees with attributes, and models of blocks, both described by the input.
#include "pages/features.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "demand.hpp"
#include "input.hpp"
#include "nodes.hpp"
#include "pages/page_walk.hpp"

namespace {

using corpusprep::BlockModel;
using corpusprep::kBlockTags;
using corpusprep::kFeatures;

const char* const kOthers[] = {"br",     "a",     "b",   "span",     "select",     "head", "title", "meta", "html",
                               "script", "style", "svg", "template", "annotation", "code", "time",  "x-y",  ""};
const char* const kAttributes[] = {"class",  "id",    "itemprop",    "role",     "itemtype", "style",
                                   "hidden", "other", "aria-hidden", "property", "content",  "name"};
const char* const kValues[] = {"comments", "mainContent post-12", "article", "true", "display: none", "og:type"};

// Text as a tree can hold it.
std::string without_zeros(std::string text) {
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

class Tree {
 public:
  explicit Tree(Input& input) {
    for (const auto name : kBlockTags) names_.emplace_back(name);
    for (const auto* name : kOthers) names_.emplace_back(name);
    root_ = nodes_.node(XML_ELEMENT_NODE);
    root_->name = name(0);
    xmlNode* open = root_;
    while (!input.ended()) {
      const unsigned code = input.byte();
      if (code < 80) {
        auto* text = nodes_.append(open, XML_TEXT_NODE);
        text->content = nodes_.keep(without_zeros(input.text(code)));
      } else if (code < 190) {
        auto* element = nodes_.append(open, XML_ELEMENT_NODE);
        element->name = name(code - 80);
        for (unsigned count = input.byte() % 4; count > 0; --count) attribute(element, input);
        if (code % 2) open = element;
      } else if (open != root_) {
        open = open->parent;
      }
    }
  }
  const xmlNode* root() const { return root_; }

 private:
  const xmlChar* name(std::size_t number) const {
    return reinterpret_cast<const xmlChar*>(names_[number % names_.size()].c_str());
  }
  void attribute(xmlNode* element, Input& input) {
    auto* made = nodes_.attribute(element, kAttributes[input.byte() % std::size(kAttributes)]);
    const unsigned code = input.byte();
    if (code >= 240) return;
    nodes_.value(made,
                 nodes_.keep(code < 60 ? kValues[code % std::size(kValues)] : without_zeros(input.text(code - 60))));
  }

  Nodes nodes_;
  std::vector<std::string> names_;
  xmlNode* root_;
};

// A model from the input; nothing says that its arrays fit together.
BlockModel model_of(Input& input) {
  corpusprep::TreeArrays trees;
  for (unsigned count = input.byte() % 8; count > 0; --count) {
    const std::uint8_t depth = input.byte() % 10;
    trees.depths.push_back(depth);
    const bool fits = input.byte() % 16 != 0;
    for (unsigned level = 0; level < depth + !fits; ++level) {
      trees.features.push_back(input.byte());
      trees.thresholds.push_back(input.byte());
    }
    for (std::size_t leaf = 0; leaf < std::size_t{1} << depth; ++leaf) {
      trees.leaves.push_back(static_cast<std::int16_t>(input.byte() * 256 + input.byte()));
    }
  }
  for (std::size_t i = 0; i < corpusprep::kScoreSteps; ++i) {
    trees.borders.push_back(static_cast<std::int32_t>(100 * i) - 50000);
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::int8_t> weights;
  for (unsigned count = input.byte(); count > 0; --count) keys.push_back(input.byte() * 0x01010101U);
  for (std::size_t i = 0; i < 2 * keys.size(); ++i) weights.push_back(static_cast<std::int8_t>(input.byte()));
  const corpusprep::WeightTable names(keys.data(), weights.data(), keys.size(), 2);
  const corpusprep::WeightTable words(keys.data(), weights.data(), keys.size(), 1);
  return {names, words, trees, kFeatures.size()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  try {
    const BlockModel model = model_of(input);
    const Tree tree(input);
    const corpusprep::WordSet stop_words({"a"});
    corpusprep::BlockColumns blocks;
    corpusprep::FeatureColumns features;
    corpusprep::FeatureBuilder feature_builder(features, {.columns = true, .names = true}, &model);
    corpusprep::BlockBuilder builder(stop_words, blocks, 0, nullptr, &feature_builder);
    corpusprep::BlockColumns unseen;
    corpusprep::HiddenText hidden(stop_words, unseen, 0);
    corpusprep::walk_page(tree.root(), builder, hidden);
    corpusprep::walk_page(tree.root(), builder, hidden);  // nothing may remain of the page before

    const std::size_t count = blocks.size();
    demand(features.kinds.size() == count && features.scores.size() == count && features.names.leaves.size() == count);
    for (const auto& column : features.features) {
      demand(column.size() == count &&
             std::equal(column.begin(), column.begin() + count / 2, column.begin() + count / 2));
    }
    for (std::size_t i = 0; i < count; ++i) {
      demand(features.kinds[i] < corpusprep::kBlockKinds.size() && features.scores[i] <= corpusprep::kScoreSteps);
      demand(static_cast<std::size_t>(features.names.leaves[i]) < features.names.parents.size());
    }
  } catch (const std::invalid_argument&) {
    // The model was refused.
  }
  return 0;
}
