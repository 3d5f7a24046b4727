#include "pages/features.hpp"

#include <algorithm>
#include <utility>

#include "common/hash.hpp"
#include "pages/feature_values.hpp"
#include "pages/hidden_text.hpp"

namespace corpusprep {

void FeatureColumns::clear() {
  for (auto& column : features) column.clear();
  kinds.clear();
  types.clear();
  scores.clear();
  names.clear();
}

FeatureBuilder::FeatureBuilder(FeatureColumns& columns, FeatureDemand demand, const BlockModel* model)
    : columns_(columns), demand_(std::move(demand)), model_(model) {
  wanted_ = model && !demand_.columns ? model->features() : std::vector<bool>(kFeatures.size(), demand_.columns);
  if (demand_.columns && !demand_.wanted.empty()) wanted_ = demand_.wanted;
  const auto first_table = static_cast<std::ptrdiff_t>(kFirstTableFeature);
  counts_all_ = std::ranges::any_of(kFeaturesOfAllCounts, [&](Feature one) { return wants(one); });
  wants_names_ = model && std::any_of(wanted_.begin() + first_table, wanted_.end(), [](bool one) { return one; });
}

void FeatureBuilder::mark(std::size_t text_end) { marks_.push_back({text_end, links_ > 0, bolds_ > 0}); }

void FeatureBuilder::open_mark(const Element& element, std::size_t text_end) {
  if (element.link && ++links_ == 1) mark(text_end);
  if (element.bold && ++bolds_ == 1) mark(text_end);
}

void FeatureBuilder::close_mark(const Element& element, std::size_t text_end) {
  if (element.link && --links_ == 0) mark(text_end);
  if (element.bold && --bolds_ == 0) mark(text_end);
}

void FeatureBuilder::metadata(const xmlNode& node) {
  const auto name = view(node.name);
  if (name == "title" && title_.empty()) {
    for (const xmlNode* child = node.children; child; child = child->next) title_ += view(child->content);
  } else if (name == "meta") {
    std::string_view property, content;
    for (const xmlAttr* attribute = node.properties; attribute; attribute = attribute->next) {
      const auto attribute_name = view(attribute->name);
      if (attribute_name == "property" || attribute_name == "name") property = value_of(*attribute);
      if (attribute_name == "content") content = value_of(*attribute);
    }
    if (property == "og:type") {
      const auto begins = [&](std::string_view word) { return content.starts_with(word); };
      page_type_ = begins("article") ? 4 : begins("product") ? 3 : begins("website") ? 1 : 2;
    }
    if (property == "og:title" && shared_title_.empty()) shared_title_ = content;
    dated_ |= property == "article:published_time";
  }
}
void FeatureBuilder::move_marks(std::size_t from, std::size_t to) noexcept {
  for (auto mark = marks_.rbegin(); mark != marks_.rend() && mark->position > from; ++mark) mark->position = to;
}

void FeatureBuilder::begin_block() {
  // What is open below `lowest_` has been open since the last block, and has a node if that had text inside.
  const std::size_t shared = std::min(lowest_, registered_);
  for (; registered_ < open_.size(); ++registered_) {
    add_node(open_[registered_], registered_ ? open_[registered_ - 1].node : -1, registered_ >= hidden_from_);
  }
  static constexpr Block kNew;  // copied in a few instructions; zeros are written by one that takes long to start
  Block& block = blocks_.emplace_back(kNew);
  block.leaf = open_.back().node;
  block.container = nodes_[static_cast<std::size_t>(block.leaf)].container;
  if (shared > 0) {
    const Node& meeting = nodes_[static_cast<std::size_t>(open_[shared - 1].node)];
    block.meeting = nodes_[static_cast<std::size_t>(meeting.container)].level;
  }
  lowest_ = open_.size();
  names_.leaves.push_back(block.leaf);
}

void FeatureBuilder::end_block(std::string_view text, std::size_t start) {
  Block& block = blocks_.back();
  const auto own = text.substr(start);
  const auto classes =
      count_text(own, start, state_, marks_.data() + next_mark_, marks_.size() - next_mark_, counts_all_, block.counts);
  while (next_mark_ < marks_.size() && marks_[next_mark_].position < text.size()) state_ = marks_[next_mark_++];
  block.text = text_key(own);
  block.bytes = static_cast<std::uint32_t>(std::min<std::size_t>(own.size(), kNone));
  if (block.counts.words <= kShortBlock) split_words(own, start, names_.words, &classes);
  names_.word_offsets.push_back(static_cast<std::int64_t>(names_.words.size()));
}

void FeatureBuilder::compute() {
  sum_containers();
  rate_containers();
  match_title();
  mark_comments();
  group_blocks();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const BlockKind own = kind(i);
    columns_.kinds.push_back(static_cast<std::uint8_t>(own));
    columns_.types.push_back(static_cast<std::uint8_t>(type(i, own)));
  }
  if (wants_names_) weigh_words();
  if (demand_.names) group_words();
  if (!model_ && !demand_.columns) return;
  measure_distances();
  fill_columns();
}

void FeatureBuilder::keep() {
  if (demand_.names) columns_.names.append(names_);
  if (demand_.columns) {
    for (std::size_t feature = 0; feature < kFeatures.size(); ++feature) {
      if (!wanted_[feature]) continue;
      const auto* column = values_.data() + feature * blocks_.size();
      columns_.features[feature].insert(columns_.features[feature].end(), column, column + blocks_.size());
    }
  }
  if (model_) score_blocks();
}

void FeatureBuilder::score_blocks() {
  scores_.resize(blocks_.size());
  model_->score(values_.data(), blocks_.size(), blocks_.size(), scores_.data());
  sizes_.clear();
  hidden_.clear();
  for (const Block& block : blocks_) {
    sizes_.push_back(block.bytes);
    hidden_.push_back((nodes_[static_cast<std::size_t>(block.leaf)].inside & kNotShown) != 0);
  }
  leave_out_hidden(sizes_.data(), hidden_.data(), scores_.data(), blocks_.size());
  if (page_.words < kLeastWords) std::ranges::fill(scores_, std::uint16_t{0});
  if (page_.link_words == page_.words) {
    std::ranges::replace_if(scores_, [](std::uint16_t score) { return score < kLeastOfLinks; }, std::uint16_t{0});
  }
  columns_.scores.insert(columns_.scores.end(), scores_.begin(), scores_.end());
}

void FeatureBuilder::end_page() {
  if (!blocks_.empty()) {
    compute();
    keep();
  }
  clear_page();
}

void FeatureBuilder::clear_page() {
  open_.clear();
  nodes_.clear();
  blocks_.clear();
  names_.clear();
  marks_.clear();
  registered_ = lowest_ = next_mark_ = 0;
  hidden_from_ = static_cast<std::size_t>(-1);
  state_ = {0, false, false};
  links_ = bolds_ = 0;
  title_.clear();
  shared_title_.clear();
  page_type_ = 0;
  dated_ = comments_named_ = false;
  element_weights_.clear();
  attribute_names_.fill({});
}

}  // namespace corpusprep
