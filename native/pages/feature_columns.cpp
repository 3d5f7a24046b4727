// Fills the columns of features from what is known of blocks, elements and the page.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "pages/feature_values.hpp"
#include "pages/features.hpp"

namespace corpusprep {

namespace {

// Containers from those that hold menus to those that hold text: a threshold separates what is alike.
constexpr std::string_view kTagOrder[] = {
    "nav",        "footer",  "menu",    "option", "optgroup",   "aside", "form", "fieldset", "legend",
    "textarea",   "header",  "address", "ul",     "ol",         "li",    "dl",   "dt",       "dd",
    "table",      "thead",   "tbody",   "tfoot",  "tr",         "th",    "td",   "caption",  "figure",
    "figcaption", "summary", "details", "dialog", "search",     "hr",    "col",  "colgroup", "center",
    "div",        "body",    "section", "hgroup", "h6",         "h5",    "h4",   "h3",       "h2",
    "h1",         "article", "main",    "pre",    "blockquote", "p",
};
static_assert(std::size(kTagOrder) == kBlockTags.size());

constexpr auto kTagRanks = [] {
  std::array<std::uint8_t, kBlockTags.size()> ranks{};
  for (std::size_t tag = 0; tag < ranks.size(); ++tag) {
    for (std::size_t rank = 0; rank < std::size(kTagOrder); ++rank) {
      if (kBlockTags[tag] == kTagOrder[rank]) ranks[tag] = static_cast<std::uint8_t>(rank);
    }
  }
  return ranks;
}();

bool mostly_links(const TextCounts& counts) { return 2 * std::uint64_t{counts.link_words} > counts.words; }

Feature operator+(Feature feature, std::size_t places) {
  return static_cast<Feature>(static_cast<std::size_t>(feature) + places);
}

}  // namespace

template <class Value>
void FeatureBuilder::put(Feature feature, Value value) {
  if (!wants(feature)) return;
  const Block* const blocks = blocks_.data();
  const std::size_t count = blocks_.size();
  // Bytes may alias anything: without __restrict, all that `value` reads is loaded again for each block.
  std::uint8_t* __restrict const column = values_.data() + static_cast<std::size_t>(feature) * count;
  for (std::size_t i = 0; i < count; ++i) column[i] = value(blocks[i], i);
}

void FeatureBuilder::fill_text() {
  using B = const Block&;
  using N = std::size_t;
  put(Feature::kWords, [](B b, N) { return steps_of(b.counts.words); });
  put(Feature::kWordLength, [](B b, N) { return clip(8 * std::uint64_t{b.counts.characters} / b.counts.words); });
  put(Feature::kUnlinkedWords, [](B b, N) { return steps_of(b.counts.words - b.counts.link_words); });
  put(Feature::kLinkDensity, [](B b, N) { return share(b.counts.link_words, b.counts.words); });
  put(Feature::kLinks, [](B b, N) { return clip(b.counts.links); });
  put(Feature::kWordsPerLink,
      [](B b, N) { return b.counts.links ? steps_of(b.counts.link_words / b.counts.links) : std::uint8_t{0}; });
  put(Feature::kCommas, [](B b, N) { return steps_of(b.counts.commas); });
  put(Feature::kCommaRate, [](B b, N) { return clip(512 * std::uint64_t{b.counts.commas} / b.counts.words); });
  put(Feature::kSentenceEnds, [](B b, N) { return steps_of(b.counts.ends); });
  put(Feature::kSentenceEndRate, [](B b, N) { return clip(512 * std::uint64_t{b.counts.ends} / b.counts.words); });
  put(Feature::kLastCharacter, [](B b, N) { return b.counts.last; });
  put(Feature::kFirstCharacter, [](B b, N) { return b.counts.first; });
  put(Feature::kCapitalised, [](B b, N) { return share(b.counts.capitalised, b.counts.spaced); });
  put(Feature::kAllCapitals, [](B b, N) { return share(b.counts.all_capitals, b.counts.spaced); });
  put(Feature::kDigits, [](B b, N) { return share(b.counts.digits, b.counts.characters); });
  put(Feature::kPunctuation, [](B b, N) { return share(b.counts.punctuation, b.counts.characters); });
  put(Feature::kCapitals, [](B b, N) { return share(b.counts.capitals, b.counts.letters); });
  put(Feature::kUnspaced, [](B b, N) { return share(b.counts.unspaced, b.counts.characters); });
  put(Feature::kCopyright, [](B b, N) { return std::uint8_t{b.counts.copyright}; });
  put(Feature::kSeparators, [](B b, N) { return clip(b.counts.separators); });
  put(Feature::kAddress, [](B b, N) { return clip(b.counts.at_sign + 2U * b.counts.address); });
  put(Feature::kQuotes, [](B b, N) { return clip(b.counts.quotes); });
  put(Feature::kBold, [](B b, N) { return share(b.counts.bold_words, b.counts.spaced); });
}

void FeatureBuilder::fill_elements() {
  using B = const Block&;
  using N = std::size_t;
  const auto leaf = [&](B b) -> const Node& { return nodes_[static_cast<std::size_t>(b.leaf)]; };
  const auto rank = [](const Node* node) { return node ? kTagRanks[node->tag] : std::uint8_t{255}; };
  put(Feature::kHeading, [&](B b, N) { return leaf(b).heading; });
  put(Feature::kTag, [&](B b, N) { return rank(&container(b)); });
  put(Feature::kParentTag, [&](B b, N) { return rank(outer(container(b))); });
  put(Feature::kGrandparentTag, [&](B b, N) {
    const Node* around = outer(container(b));
    return rank(around ? outer(*around) : nullptr);
  });
  put(Feature::kArticles, [&](B b, N) { return clip(leaf(b).articles); });
  put(Feature::kArticleLevels, [&](B b, N) { return clip(leaf(b).article_levels); });
  // From in_main to in_comment in the order of Context.
  series_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) series_[i] = leaf(blocks_[i]).inside;
  for (std::size_t bit = 0; bit <= 18; ++bit) {
    put(Feature::kInMain + bit, [&](B, N i) { return static_cast<std::uint8_t>(series_[i] >> bit & 1); });
  }
  put(Feature::kLevel, [&](B b, N) { return clip(container(b).level); });
  put(Feature::kInlineDepth, [&](B b, N) { return clip(leaf(b).depth - container(b).depth); });
}

void FeatureBuilder::fill_position() {
  using B = const Block&;
  using N = std::size_t;
  const auto count = blocks_.size();
  put(Feature::kPosition, [&](B, N i) { return share(i, count); });
  put(Feature::kIndex, [](B, N i) { return steps_of(i); });
  put(Feature::kIndexFromEnd, [&](B, N i) { return steps_of(count - 1 - i); });
  put(Feature::kWordPosition, [&](B, N i) { return share(words_before_[i], page_.words); });
  put(Feature::kRunningPosition, [&](B, N i) { return share(running_before_[i], page_.running); });
  put(Feature::kRunningBefore, [&](B, N i) { return steps_of(running_before_[i]); });
  put(Feature::kRunningAfter, [&](B, N i) { return steps_of(page_.running - running_before_[i + 1]); });
}

void FeatureBuilder::fill_headings() {
  using B = const Block&;
  using N = std::size_t;
  const auto from = [](std::int64_t place) {
    return
        [place](B, N i) { return place < 0 ? std::uint8_t{0} : signed_distance(static_cast<std::int64_t>(i) - place); };
  };
  put(Feature::kTitleMatch, [](B b, N) { return static_cast<std::uint8_t>(b.title); });
  put(Feature::kFromTitle, from(title_block_));
  put(Feature::kFromFirstHeading, from(first_heading_));
  // Per block: the number of the last heading before it.
  series_.assign(blocks_.size(), kNone);
  for (std::size_t i = 1; i < blocks_.size(); ++i) {
    const bool heading = nodes_[static_cast<std::size_t>(blocks_[i - 1].leaf)].heading > 0;
    series_[i] = heading ? static_cast<std::uint32_t>(i - 1) : series_[i - 1];
  }
  put(Feature::kSinceHeading, [&](B, N i) { return series_[i] == kNone ? std::uint8_t{255} : clip(i - series_[i]); });
  put(Feature::kLastHeading, [&](B, N i) {
    return series_[i] == kNone ? std::uint8_t{0} : nodes_[static_cast<std::size_t>(blocks_[series_[i]].leaf)].heading;
  });
  put(Feature::kHeadingLinks, [&](B, N i) {
    if (series_[i] == kNone) return std::uint8_t{0};
    const auto& counts = blocks_[series_[i]].counts;
    return share(counts.link_words, counts.words);
  });
  put(Feature::kHeadingWords,
      [&](B, N i) { return steps_of(words_before_[i] - (series_[i] == kNone ? 0 : words_before_[series_[i] + 1])); });
  const bool titled = title_block_ >= 0;
  const auto distances = [&](B b) -> const Distances& { return distances_[static_cast<std::size_t>(b.container)]; };
  put(Feature::kTitleUp, [&](B b, N) { return titled ? clip(distances(b).up[kTitle]) : std::uint8_t{255}; });
  put(Feature::kTitleDown, [&](B b, N) { return titled ? clip(distances(b).down[kTitle]) : std::uint8_t{255}; });
}

void FeatureBuilder::fill_page() {
  const auto all = [](std::uint8_t value) { return [value](const Block&, std::size_t) { return value; }; };
  put(Feature::kPageBlocks, all(steps_of(blocks_.size())));
  put(Feature::kPageWords, all(steps_of(page_.words)));
  put(Feature::kPageRunning, all(steps_of(page_.running)));
  put(Feature::kPageLinkDensity, all(share(page_.link_words, page_.words)));
  put(Feature::kPageLongest, all(steps_of(page_.longest)));
  put(Feature::kPageRunningBlocks, all(steps_of(page_.running_blocks)));
  put(Feature::kPageRunningShare, all(share(page_.running, page_.words)));
  put(Feature::kPageParagraphShare, all(share(page_.paragraph_words, page_.words)));
  put(Feature::kPageType, all(page_type_));
  put(Feature::kPageDated, all(dated_));
}

// Puts a value of each block's group, which is computed once per group.
template <auto kGroup, class Value>
void FeatureBuilder::put_of_group(Feature feature, const Groups& groups, Value of) {
  if (!wants(feature)) return;
  group_values_.clear();
  for (const Group& group : groups.all) group_values_.push_back(of(group));
  put(feature, [values = group_values_.data()](const Block& block, std::size_t) { return values[block.*kGroup]; });
}

void FeatureBuilder::fill_groups() {
  using G = const Group&;
  put_of_group<&Block::same>(Feature::kSameText, texts_, [](G g) { return clip(g.blocks); });
  put_of_group<&Block::path>(Feature::kPathBlocks, paths_, [](G g) { return steps_of(g.blocks); });
  put_of_group<&Block::path>(Feature::kPathWords, paths_, [](G g) { return steps_of(g.words); });
  put_of_group<&Block::like>(Feature::kLikeBlocks, likes_, [](G g) { return steps_of(g.blocks); });
  const auto rest = [&]<auto kGroup>(Feature first, const Groups& groups) {
    put_of_group<kGroup>(first, groups, [](G g) { return share(g.link_words, g.words); });
    put_of_group<kGroup>(first + 1, groups, [](G g) { return steps_of(g.words / g.blocks); });
    put_of_group<kGroup>(first + 2, groups, [](G g) { return share(g.running, g.words); });
    put_of_group<kGroup>(first + 3, groups, [&](G g) { return share(g.running, page_.running); });
  };
  rest.template operator()<&Block::path>(Feature::kPathLinkDensity, paths_);
  rest.template operator()<&Block::like>(Feature::kLikeLinkDensity, likes_);
}

// Puts a value of one container per block: once for the blocks in a row that share it.
template <class Value>
void FeatureBuilder::put_of_chain(Feature feature, Value of) {
  if (!wants(feature)) return;
  std::uint8_t* __restrict column = values_.data() + static_cast<std::size_t>(feature) * blocks_.size();
  std::uint32_t i = 0;
  for (const auto [node, end] : chain_) {
    const std::uint8_t value = node < 0 ? std::uint8_t{0} : of(nodes_[static_cast<std::size_t>(node)]);
    for (; i < end; ++i) column[i] = value;
  }
}

void FeatureBuilder::fill_container(Feature first) {
  put_of_chain(first, [](const Node& n) { return steps_of(n.words); });
  put_of_chain(first + 1, [](const Node& n) { return share(n.link_words, n.words); });
  put_of_chain(first + 2, [](const Node& n) { return share(n.running, n.words); });
  put_of_chain(first + 3, [](const Node& n) { return steps_of(n.blocks); });
  put_of_chain(first + 4, [](const Node& n) { return steps_of(n.words / n.blocks); });
  put_of_chain(first + 5, [&](const Node& n) { return share(n.running, page_.running); });
  put_of_chain(first + 6, [&](const Node& n) { return share(n.readability, top_readability_); });
  put(first + 7, [&, row = chain_.begin()](const Block&, std::size_t i) mutable {
    while (row->end <= i) ++row;
    if (row->node < 0) return std::uint8_t{0};
    const Node& node = nodes_[static_cast<std::size_t>(row->node)];
    return share(i - node.first, node.blocks);
  });
}

// Makes of rows of blocks with the same container those with the same container around it.
void FeatureBuilder::climb() {
  std::size_t kept = 0;
  for (const auto [node, end] : chain_) {
    const auto around = node < 0 ? -1 : nodes_[static_cast<std::size_t>(node)].outer;
    if (kept == 0 || chain_[kept - 1].node != around) chain_[kept++].node = around;
    chain_[kept - 1].end = end;
  }
  chain_.resize(kept);
}

void FeatureBuilder::fill_containers() {
  chain_.clear();
  for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
    if (chain_.empty() || chain_.back().node != blocks_[i].container) chain_.push_back({blocks_[i].container, i});
    chain_.back().end = i + 1;
  }
  put_of_chain(Feature::kOwnBlocks, [](const Node& n) { return steps_of(n.blocks); });
  put_of_chain(Feature::kOwnLinkDensity, [](const Node& n) { return share(n.link_words, n.words); });
  put_of_chain(Feature::kReadability, [&](const Node& n) { return share(n.best, top_readability_); });
  for (const auto first : {Feature::kSecondWords, Feature::kThirdWords, Feature::kFourthWords}) {
    climb();
    fill_container(first);
  }
  climb();
  put_of_chain(Feature::kFifthLinkDensity, [](const Node& n) { return share(n.link_words, n.words); });
  put_of_chain(Feature::kFifthRunning, [](const Node& n) { return share(n.running, n.words); });
  put_of_chain(Feature::kFifthShare, [&](const Node& n) { return share(n.running, page_.running); });
  put_of_chain(Feature::kFifthReadability, [&](const Node& n) { return share(n.readability, top_readability_); });
}

void FeatureBuilder::fill_target(Feature first, std::int32_t place, Target target) {
  const Node& node = nodes_[static_cast<std::size_t>(place)];
  const auto distances = [all = distances_.data()](const Block& b) -> const Distances& {
    return all[static_cast<std::size_t>(b.container)];
  };
  put(first, [&](const Block& b, std::size_t) { return clip(distances(b).up[target]); });
  put(first + 1, [&](const Block& b, std::size_t) { return clip(distances(b).down[target]); });
  put(first + 2, [&](const Block&, std::size_t i) {
    return static_cast<std::uint8_t>(i < node.first ? 0 : i > node.last ? 2 : 1);
  });
}

void FeatureBuilder::fill_targets() {
  fill_target(Feature::kTopUp, top_, kTop);
  fill_target(Feature::kHalfUp, half_, kHalf);
  fill_target(Feature::kMostUp, most_, kMost);
}

void FeatureBuilder::fill_running() {
  using B = const Block&;
  using N = std::size_t;
  const std::size_t count = blocks_.size();
  series_.resize(count);
  // Puts a value of `series_`, which is filled in one direction with what `next` makes of each block and what it was.
  const auto put_series = [&](Feature feature, bool forward, std::uint32_t start, auto next, auto value) {
    if (!wants(feature)) return;
    std::uint32_t before = start;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = forward ? k : count - 1 - k;
      series_[i] = before;
      before = next(before, blocks_[i]);
    }
    put(feature, [&](B, N i) { return value(series_[i]); });
  };
  const auto smooth = [](std::uint32_t value, B b) {
    return static_cast<std::uint32_t>((7 * std::uint64_t{value} + 3 * 16 * std::uint64_t{b.running}) / 10);
  };
  const auto since_running = [](std::uint32_t value, B b) { return b.running ? 0 : std::min(50U, value + 1); };
  const auto since_links = [](std::uint32_t value, B b) {
    return mostly_links(b.counts) ? 0 : std::min(50U, value + 1);
  };
  for (const bool forward : {true, false}) {
    const std::size_t back = forward ? 0 : 1;
    put_series(Feature::kRunningUp + back, forward, 0, smooth,
               [](std::uint32_t value) { return steps_of(value / 16); });
    put_series(Feature::kSinceRunning + back, forward, 50, since_running, clip);
    put_series(Feature::kSinceLinks + back, forward, 50, since_links, clip);
  }
}

void FeatureBuilder::fill_windows() {
  using B = const Block&;
  using N = std::size_t;
  const std::size_t count = blocks_.size();
  const auto window = [&](Feature first, std::size_t reach) {
    const auto sum = [count, reach](const std::vector<std::uint32_t>& before, std::size_t i) {
      return before[std::min(count, i + reach + 1)] - before[i > reach ? i - reach : 0];
    };
    put(first, [&](B, N i) { return steps_of(sum(running_before_, i)); });
    put(first + 1, [&](B, N i) { return share(sum(running_before_, i), sum(words_before_, i)); });
    put(first + 2, [&](B, N i) { return share(sum(links_before_, i), sum(words_before_, i)); });
  };
  window(Feature::kNearRunning, 2);
  window(Feature::kWideRunning, 5);
  window(Feature::kBroadRunning, 10);
  for (const std::int64_t step : {-2, 2}) {
    const auto first = step < 0 ? Feature::kSecondBeforeWords : Feature::kSecondAfterWords;
    const auto other = [&, step](std::size_t i) -> const Block* {
      const auto place = static_cast<std::int64_t>(i) + step;
      return place >= 0 && std::cmp_less(place, count) ? &blocks_[static_cast<std::size_t>(place)] : nullptr;
    };
    put(first, [&](B, N i) { return other(i) ? steps_of(other(i)->counts.words) : std::uint8_t{0}; });
    put(first + 1, [&](B, N i) {
      return other(i) ? share(other(i)->counts.link_words, other(i)->counts.words) : std::uint8_t{0};
    });
  }
}

void FeatureBuilder::fill_neighbour(Feature first, std::int64_t step) {
  const auto count = static_cast<std::int64_t>(blocks_.size());
  const auto value = [&](std::size_t feature, std::uint8_t missing, auto of) {
    put(first + feature, [&](const Block& b, std::size_t i) {
      const auto place = static_cast<std::int64_t>(i) + step;
      if (place < 0 || place >= count) return missing;
      const Block& other = blocks_[static_cast<std::size_t>(place)];
      return static_cast<std::uint8_t>(of(b, other, step < 0 ? b.meeting : other.meeting));
    });
  };
  value(0, 0, [](const Block&, const Block& o, std::uint32_t) { return steps_of(o.counts.words); });
  value(1, 0, [](const Block&, const Block& o, std::uint32_t) { return share(o.counts.link_words, o.counts.words); });
  value(2, 0, [](const Block&, const Block& o, std::uint32_t) { return o.counts.last; });
  value(3, 0, [&](const Block& b, const Block& o, std::uint32_t) {
    return (b.path == o.path ? 1 : 0) + (b.container == o.container ? 2 : 0);
  });
  value(4, 255,
        [&](const Block& b, const Block&, std::uint32_t meeting) { return clip(container(b).level - meeting); });
  value(5, 255,
        [&](const Block&, const Block& o, std::uint32_t meeting) { return clip(container(o).level - meeting); });
}

void FeatureBuilder::fill_names() {
  std::uint8_t* columns[kNameColumns];
  for (std::size_t k = 0; k < kNameColumns; ++k) {
    columns[k] = values_.data() + static_cast<std::size_t>(kFirstTableFeature + k) * blocks_.size();
    if (!wants_names_) std::fill_n(columns[k], blocks_.size(), std::uint8_t{0});
  }
  if (wants_names_) weight_columns(names_, element_weights_, word_sums_, chain_sums_, columns);
}

void FeatureBuilder::fill_columns() {
  values_.resize(std::max(values_.size(), kFeatures.size() * blocks_.size()));
  fill_text();
  fill_elements();
  fill_position();
  fill_headings();
  fill_page();
  fill_groups();
  fill_containers();
  fill_targets();
  fill_running();
  fill_windows();
  fill_neighbour(Feature::kBeforeWords, -1);
  fill_neighbour(Feature::kAfterWords, 1);
  fill_names();
}

}  // namespace corpusprep
