// Features of pages: sums over containers, Readability's scores, the block like the title, groups of blocks, kinds and
// types.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <iterator>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "pages/feature_characters.hpp"
#include "pages/feature_values.hpp"
#include "pages/features.hpp"

namespace corpusprep {

namespace {

// Containers that a readability score is given to; from others it goes to the container around them.
constexpr auto kScored = [] {
  std::array<bool, kBlockTags.size()> scored{};
  for (const std::string_view name : {"body", "div", "section", "article", "main", "center", "td"}) {
    scored[find_tag(name)] = true;
  }
  return scored;
}();

constexpr std::uint32_t kRunningWords = 12;
constexpr std::size_t kAhead = 8;       // groups of words whose weights are fetched before they are used
constexpr std::size_t kMostGroups = 2;  // of w words: 2 (w + 1) groups at most

}  // namespace

void FeatureBuilder::Groups::clear(std::size_t blocks) {
  all.clear();
  slots.assign(std::bit_ceil(2 * blocks + 2), 0);
}

// After 16 places that other keys hold, a block joins the group that it meets: no page takes more than linear time.
std::uint32_t FeatureBuilder::Groups::add(std::uint64_t key, const Block& block) {
  const std::size_t mask = slots.size() - 1;
  std::size_t place = (key >> 20) & mask;
  for (int tries = 0; tries < 16 && slots[place] && all[slots[place] - 1].key != key; ++tries) {
    place = (place + 1) & mask;
  }
  if (!slots[place]) {
    all.emplace_back().key = key;
    slots[place] = static_cast<std::uint32_t>(all.size());
  }
  const std::uint32_t number = slots[place] - 1;
  Group& group = all[number];
  ++group.blocks;
  group.words += block.counts.words;
  group.link_words += block.counts.link_words;
  group.running += block.running;
  return number;
}

void FeatureBuilder::sum_containers() {
  page_ = PageCounts();
  words_before_.assign(1, 0);
  links_before_.assign(1, 0);
  running_before_.assign(1, 0);
  const auto paragraph = tag_of("p");
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const auto& counts = block.counts;
    const std::uint32_t unlinked = counts.words - counts.link_words;
    const bool running = counts.words >= kRunningWords && 5 * std::uint64_t{counts.link_words} < 2 * counts.words;
    block.running = running ? unlinked : 0;
    page_.words += counts.words;
    page_.link_words += counts.link_words;
    page_.running += block.running;
    page_.running_blocks += running;
    page_.longest = std::max(page_.longest, unlinked);
    words_before_.push_back(page_.words);
    links_before_.push_back(page_.link_words);
    running_before_.push_back(page_.running);
    Node& node = nodes_[static_cast<std::size_t>(block.container)];
    if (node.tag == paragraph) page_.paragraph_words += unlinked;
    node.words += counts.words;
    node.link_words += counts.link_words;
    node.running += block.running;
    ++node.blocks;
    node.first = std::min(node.first, static_cast<std::uint32_t>(i));
    node.last = std::max(node.last, static_cast<std::uint32_t>(i));
  }
  for (std::size_t e = nodes_.size(); e-- > 1;) {
    const Node& node = nodes_[e];
    if (node.outer < 0) continue;
    Node& around = nodes_[static_cast<std::size_t>(node.outer)];
    around.words += node.words;
    around.link_words += node.link_words;
    around.running += node.running;
    around.blocks += node.blocks;
    around.first = std::min(around.first, node.first);
    around.last = std::max(around.last, node.last);
  }
}

// Readability's scores, in units of 1/400: a block of six or more words gives its container 1, and 1 for each comma and
// for each 17 words, up to 3; half of it to the container around that, a quarter to the next.
void FeatureBuilder::rate_containers() {
  for (const Block& block : blocks_) {
    const auto& counts = block.counts;
    if (counts.words < 6) continue;
    const std::uint64_t points =
        100 * (1 + std::uint64_t{counts.commas}) + std::min(300U, 6 * std::min(counts.words, 50U));
    std::uint64_t score = 4 * points * (counts.words - counts.link_words) / counts.words;
    auto target = block.container;
    const Node& own = nodes_[static_cast<std::size_t>(target)];
    if (!kScored[own.tag] && own.outer >= 0) target = own.outer;
    for (int level = 0; level < 3 && target >= 0; ++level, score /= 2) {
      Node& node = nodes_[static_cast<std::size_t>(target)];
      node.readability += score;
      target = node.outer;
    }
  }
  top_readability_ = 0;
  top_ = half_ = most_ = 0;
  for (std::size_t e = 0; e < nodes_.size(); ++e) {
    Node& node = nodes_[e];
    if (!node.words) continue;
    node.readability = node.readability * (node.words - node.link_words) / node.words;
    node.best = node.outer < 0 ? node.readability
                               : std::max(node.readability, nodes_[static_cast<std::size_t>(node.outer)].best);
    const auto place = static_cast<std::int32_t>(e);
    if (node.readability > top_readability_) {
      top_readability_ = node.readability;
      top_ = place;
    }
    const auto level_of = [&](std::int32_t other) { return nodes_[static_cast<std::size_t>(other)].level; };
    if (!page_.running) continue;
    if (2 * std::uint64_t{node.running} >= page_.running && node.level > level_of(half_)) half_ = place;
    if (10 * std::uint64_t{node.running} >= 9 * std::uint64_t{page_.running} && node.level > level_of(most_))
      most_ = place;
  }
}

// Gives blocks their likeness to a title, if they are not more like another.
void FeatureBuilder::compare_with_title(std::string_view title) {
  title_words_.clear();
  split_words(title, 0, title_words_);
  std::ranges::sort(title_words_);
  groups_.clear();
  std::ranges::unique_copy(title_words_, std::back_inserter(groups_));
  title_words_.swap(groups_);
  if (title_words_.empty()) return;
  std::bitset<1024> title_bits;  // by the low bits of the hashes: most words are not in the title
  for (const auto word : title_words_) title_bits.set(word & 1023);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const Node& leaf = nodes_[static_cast<std::size_t>(block.leaf)];
    const auto first = names_.word_offsets[i], end = names_.word_offsets[i + 1];
    const auto count = static_cast<std::uint64_t>(end - first);
    if (count == 0 || (!leaf.heading && block.counts.words < 3) || (leaf.inside & kPageTitle)) continue;
    std::uint64_t matched = 0;
    for (auto k = first; k < end; ++k) {
      const auto word = names_.words[static_cast<std::size_t>(k)];
      if (title_bits[word & 1023]) matched += std::ranges::binary_search(title_words_, word);
    }
    matched = std::min<std::uint64_t>(matched, title_words_.size());
    block.title = std::max<std::uint32_t>(block.title, share(2 * matched, count + title_words_.size()));
  }
}

void FeatureBuilder::match_title() {
  compare_with_title(title_);
  if (shared_title_ != title_) compare_with_title(shared_title_);
  title_block_ = first_heading_ = -1;
  std::uint32_t best = 127;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    const auto heading = nodes_[static_cast<std::size_t>(block.leaf)].heading;
    if (heading == 1 && first_heading_ < 0) first_heading_ = static_cast<std::int64_t>(i);
    const std::uint32_t likeness = block.title + (heading == 1 ? 76U : heading ? 38U : 0U);
    if (likeness > best && names_.word_offsets[i + 1] - names_.word_offsets[i] >= 2) {
      best = likeness;
      title_block_ = static_cast<std::int64_t>(i);
    }
  }
  if (title_block_ < 0) title_block_ = first_heading_;
}

void FeatureBuilder::group_blocks() {
  for (auto* groups : {&paths_, &likes_, &texts_}) groups->clear(blocks_.size());
  for (Block& block : blocks_) {
    const Node& node = container(block);
    const Node* around = outer(node);
    block.path = paths_.add(node.path, block);
    block.like = likes_.add(mix64(node.local * 3 + (around ? around->local : 7)), block);
    block.same = texts_.add(block.text, block);
  }
}

void FeatureBuilder::group_words() {
  groups_.clear();
  std::int64_t first = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto end = names_.word_offsets[i + 1];
    each_word_group(names_.words.data() + first, static_cast<std::size_t>(end - first),
                    [&](std::uint32_t group) { groups_.push_back(group); });
    first = end;
    names_.word_offsets[i + 1] = static_cast<std::int64_t>(groups_.size());
  }
  names_.words.swap(groups_);
}

void FeatureBuilder::weigh_words() {
  word_sums_.assign(blocks_.size(), {});
  series_.resize(blocks_.size());
  const WeightTable& table = model_->words();
  // First the groups that may be known, without a branch that no processor can predict; then all of the page are looked
  // up in a row: the table is larger than the caches, and so several of its lines are under way at a time.
  std::size_t known = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto first = names_.word_offsets[i];
    const auto words = static_cast<std::size_t>(names_.word_offsets[i + 1] - first);
    groups_.resize(std::max(groups_.size(), known + kMostGroups * (words + 1)));
    std::uint32_t* const groups = groups_.data();
    std::int64_t count = 0;  // and `known`: counted in registers
    std::size_t place = known;
    each_word_group(names_.words.data() + first, words, [&](std::uint32_t group) {
      ++count;
      groups[place] = group;
      place += table.may_have(group);
    });
    known = place;
    word_sums_[i].count = count;
    series_[i] = static_cast<std::uint32_t>(known);
  }
  std::size_t k = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    std::int64_t total = 0;
    for (; k < series_[i]; ++k) {
      if (k + kAhead < known) table.fetch(groups_[k + kAhead]);
      total += table.find_known(groups_[k]).near;
    }
    word_sums_[i].total = total;
  }
}

void FeatureBuilder::measure_distances() {
  distances_.assign(nodes_.size(), {});
  // First the containers around each target: `up` is 0 there, and one more than in the container around elsewhere.
  std::array<std::int32_t, 4> targets = {top_, half_, most_, top_};
  if (title_block_ >= 0) targets[kTitle] = blocks_[static_cast<std::size_t>(title_block_)].container;
  for (auto& own : distances_) own.up.fill(kNone);
  for (std::size_t target = 0; target < targets.size(); ++target) {
    const auto bottom = nodes_[static_cast<std::size_t>(targets[target])].level;
    for (auto e = targets[target]; e >= 0; e = nodes_[static_cast<std::size_t>(e)].outer) {
      auto& own = distances_[static_cast<std::size_t>(e)];
      own.up[target] = 0;
      own.down[target] = bottom - nodes_[static_cast<std::size_t>(e)].level;
    }
  }
  for (std::size_t e = 1; e < nodes_.size(); ++e) {
    if (nodes_[e].outer < 0) continue;
    const auto around = distances_[static_cast<std::size_t>(nodes_[e].outer)];
    auto& own = distances_[e];
    for (std::size_t target = 0; target < targets.size(); ++target) {
      const bool holds = own.up[target] == 0;
      own.up[target] = holds ? 0 : around.up[target] + 1;
      own.down[target] = holds ? own.down[target] : around.down[target];
    }
  }
}

BlockKind FeatureBuilder::kind(std::size_t number) const {
  const Block& block = blocks_[number];
  const Node& node = container(block);
  if (nodes_[static_cast<std::size_t>(block.leaf)].inside & kCommentContext) return BlockKind::comment;
  if (std::cmp_equal(number, title_block_)) return BlockKind::title;
  if (nodes_[static_cast<std::size_t>(block.leaf)].heading) return BlockKind::heading;
  if (node.inside & kCodeContext) return BlockKind::code;
  if (node.inside & kCaptionContext) return BlockKind::caption;
  if (node.table >= 0) {
    // A table of data, not one that only places text: several cells, most of them short.
    const Node& table = nodes_[static_cast<std::size_t>(node.table)];
    const bool data = table.blocks >= 4 && table.words <= 12 * std::uint64_t{table.blocks} &&
                      2 * std::uint64_t{table.running} < table.words;
    if (data) return BlockKind::table;
  }
  const auto is_item = [](const Node& one) {
    return one.tag == tag_of("li") || one.tag == tag_of("dd") || one.tag == tag_of("dt");
  };
  const Node* around = outer(node);
  return is_item(node) || (around && is_item(*around)) ? BlockKind::list : BlockKind::text;
}

// Elements that say what a block is decide. Otherwise a short block that does not end as a sentence is a heading if it
// is bold, or if the blocks of its path are short, those beside it have other paths, and the next is longer. Short
// blocks with one path in a row are a list, and so are short cells of a table of data.
BlockType FeatureBuilder::type(std::size_t number, BlockKind kind) const {
  if (kind == BlockKind::heading || kind == BlockKind::title) return BlockType::heading;
  if (kind == BlockKind::list) return BlockType::list;
  if (kind != BlockKind::text && kind != BlockKind::table) return BlockType::paragraph;
  const Block& block = blocks_[number];
  const Block* before = number ? &blocks_[number - 1] : nullptr;
  const Block* after = number + 1 < blocks_.size() ? &blocks_[number + 1] : nullptr;
  const bool open = after && block.counts.last != kComma && block.counts.last != kStop;
  const auto bold = share(block.counts.bold_words, block.counts.spaced);
  if (open && block.counts.words <= kHeadingWords && bold >= kHeadingBold) return BlockType::heading;
  const Group& path = paths_.all[block.path];
  if (path.words / path.blocks >= kShortMean) return BlockType::paragraph;
  const bool in_row = (before && before->path == block.path) || (after && after->path == block.path);
  if (in_row || kind == BlockKind::table) return BlockType::list;
  return open && after->counts.words > block.counts.words ? BlockType::heading : BlockType::paragraph;
}

}  // namespace corpusprep
