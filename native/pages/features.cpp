#include "pages/features.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "common/hash.hpp"
#include "pages/segmentation.hpp"

namespace corpusprep {

namespace {

// Where a block is: one bit per kind of element around it.
enum Context : std::uint32_t {
  kMain = 1U << 0,
  kNavigation = 1U << 1,
  kHeader = 1U << 2,
  kFooter = 1U << 3,
  kAside = 1U << 4,
  kForm = 1U << 5,
  kTableContext = 1U << 6,
  kListContext = 1U << 7,
  kItem = 1U << 8,
  kDefinition = 1U << 9,
  kFigure = 1U << 10,
  kCaptionContext = 1U << 11,
  kQuotation = 1U << 12,
  kSection = 1U << 13,
  kCodeContext = 1U << 14,
  kControl = 1U << 15,
  kSmallPrint = 1U << 16,
  kNotShown = 1U << 17,
  kCommentContext = 1U << 18,
  kArticle = 1U << 19,  // the element itself: not inherited
};

struct NamedContext {
  std::string_view name;
  std::uint32_t bits;
};

constexpr NamedContext kTagContexts[] = {
    {"main", kMain},
    {"nav", kNavigation},
    {"menu", kNavigation},
    {"header", kHeader},
    {"footer", kFooter},
    {"aside", kAside},
    {"form", kForm},
    {"fieldset", kForm},
    {"table", kTableContext},
    {"ul", kListContext},
    {"ol", kListContext},
    {"li", kItem},
    {"dl", kDefinition},
    {"figure", kFigure},
    {"caption", kCaptionContext},
    {"blockquote", kQuotation},
    {"section", kSection},
    {"figcaption", kCaptionContext},
    {"pre", kCodeContext},
    {"article", kArticle},
    {"textarea", kControl},
    {"address", kSmallPrint},
};
constexpr NamedContext kRoles[] = {
    {"main", kMain},          {"navigation", kNavigation}, {"menu", kNavigation}, {"banner", kHeader},
    {"contentinfo", kFooter}, {"complementary", kAside},   {"article", kArticle}, {"form", kForm},
    {"search", kForm},
};

constexpr auto kTagBits = [] {
  std::array<std::uint32_t, kBlockTags.size()> bits{};
  for (std::size_t tag = 0; tag < bits.size(); ++tag) {
    for (const auto& [name, context] : kTagContexts) {
      if (kBlockTags[tag] == name) bits[tag] = context;
    }
  }
  return bits;
}();

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

constexpr std::uint8_t tag_of(std::string_view name) {
  for (std::size_t tag = 0; tag < kBlockTags.size(); ++tag) {
    if (kBlockTags[tag] == name) return static_cast<std::uint8_t>(tag);
  }
  return 0;
}

// Containers that a readability score is given to; from others it goes to the container around them.
constexpr auto kScored = [] {
  std::array<bool, kBlockTags.size()> scored{};
  for (const std::string_view name : {"body", "div", "section", "article", "main", "center", "td"}) {
    scored[tag_of(name)] = true;
  }
  return scored;
}();

constexpr std::string_view kCommentNames[] = {
    "comment",    "comments",   "commentlist", "commenttext", "commentarea",  "disqus",   "kommentar",
    "kommentare", "comentario", "comentarios", "commentaire", "commentaires", "commento", "commenti",
    "komentarze", "komentarz",  "kommentarer", "reacties",    "komentari",    "yorumlar", "replies",
};

const auto& comment_hashes() {
  static const auto hashes = [] {
    std::array<std::uint32_t, std::size(kCommentNames)> found{};
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = name_hash_of(kCommentNames[i], NameSource::identifier);
    std::ranges::sort(found);
    return found;
  }();
  return hashes;
}

enum AttributeKind : std::uint8_t {
  kOtherAttribute,
  kClass,
  kId,
  kItemProperty,
  kRole,
  kItemType,
  kStyle,
  kHiddenAttribute,
  kAriaHidden
};

std::string_view view(const xmlChar* text) { return text ? reinterpret_cast<const char*>(text) : std::string_view(); }

std::string_view value_of(const xmlAttr& attribute) {
  return attribute.children ? view(attribute.children->content) : std::string_view();
}

// Returns whether a style hides its element: display none or visibility hidden.
bool hides(std::string_view style) {
  const auto says = [&](std::string_view property, std::string_view value) {
    auto at = style.find(property);
    if (at == std::string_view::npos) return false;
    at = style.find_first_not_of(" :", at + property.size());
    return at != std::string_view::npos && style.substr(at, value.size()) == value;
  };
  return says("display", "none") || says("visibility", "hidden");
}

std::uint8_t clip(std::uint64_t count) { return static_cast<std::uint8_t>(std::min<std::uint64_t>(count, 255)); }

std::uint8_t share(std::uint64_t part, std::uint64_t whole) { return whole ? clip(255 * part / whole) : 0; }

// Exact up to 31, then 16 values for each doubling.
std::uint8_t steps_of(std::uint64_t count) {
  if (count < 32) return static_cast<std::uint8_t>(count);
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(count)) - 5;
  return clip(16 * doublings + (count >> doublings));
}

// 128 is no distance; 0 is kept for "none".
std::uint8_t signed_distance(std::int64_t distance) {
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(distance + 128, 1, 255));
}

constexpr std::uint32_t kRunningWords = 12;
bool mostly_links(const TextCounts& counts) { return 2 * std::uint64_t{counts.link_words} > counts.words; }

Feature operator+(Feature feature, std::size_t places) {
  return static_cast<Feature>(static_cast<std::size_t>(feature) + places);
}

}  // namespace

void FeatureBuilder::Groups::clear(std::size_t blocks) { slots.assign(std::bit_ceil(2 * blocks + 2), Group()); }

// After 16 places that other keys hold, a block joins the group that it meets: no page takes more than linear time.
std::uint32_t FeatureBuilder::Groups::add(std::uint64_t key, const Block& block) {
  key |= 1;
  const std::size_t mask = slots.size() - 1;
  std::size_t place = (key >> 20) & mask;
  for (int tries = 0; tries < 16 && slots[place].key && slots[place].key != key; ++tries) place = (place + 1) & mask;
  Group& group = slots[place];
  if (!group.key) group.key = key;
  ++group.blocks;
  group.words += block.counts.words;
  group.link_words += block.counts.link_words;
  group.running += block.running;
  return static_cast<std::uint32_t>(place);
}

FeatureBuilder::FeatureBuilder(FeatureColumns& columns, FeatureDemand demand, const BlockModel* model)
    : columns_(columns), demand_(std::move(demand)), model_(model) {
  wanted_ = model && !demand_.columns ? model->features() : std::vector<bool>(kFeatures.size(), demand_.columns);
  if (demand_.columns && !demand_.wanted.empty()) wanted_ = demand_.wanted;
  const auto first_table = static_cast<std::ptrdiff_t>(kFirstTableFeature);
  wants_names_ = model && std::any_of(wanted_.begin() + first_table, wanted_.end(), [](bool one) { return one; });
}

void FeatureBuilder::mark(std::size_t text_end) { marks_.push_back({text_end, links_ > 0, bolds_ > 0}); }

void FeatureBuilder::open(Element element, const xmlNode& node, std::size_t text_end) {
  open_.push_back({element, &node, -1});
  if (element.link && ++links_ == 1) mark(text_end);
  if (element.bold && ++bolds_ == 1) mark(text_end);
}

void FeatureBuilder::close(Element element, std::size_t text_end) {
  open_.pop_back();
  registered_ = std::min(registered_, open_.size());
  lowest_ = std::min(lowest_, open_.size());
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
    dated_ |= property == "article:published_time";
  }
}

std::uint8_t FeatureBuilder::attribute_kind(const xmlChar* name) {
  auto& slot = attribute_names_[(reinterpret_cast<std::uintptr_t>(name) >> 3) & (attribute_names_.size() - 1)];
  if (slot.name == name) return slot.kind;
  constexpr std::string_view kNames[] = {"",         "class", "id",     "itemprop",   "role",
                                         "itemtype", "style", "hidden", "aria-hidden"};
  slot = {name, kOtherAttribute};
  for (std::size_t kind = 1; kind < std::size(kNames); ++kind) {
    if (view(name) == kNames[kind]) slot.kind = static_cast<std::uint8_t>(kind);
  }
  return slot.kind;
}

// Adds the names in a class or an id. Pages repeat few of them: what was read of a value is kept.
FeatureBuilder::Identifier FeatureBuilder::read_identifier(std::string_view value, std::size_t room) {
  auto& names = names_.names;
  const std::uint64_t key = word_key(value) | 1;
  Identifier& known = identifiers_[(key >> 32) & (identifiers_.size() - 1)];
  if (known.key == key) {
    for (std::uint32_t k = 0; k < std::min<std::size_t>(room, known.count); ++k)
      names.push_back(names[known.first + k]);
    return known;
  }
  Identifier found;
  found.key = key;
  found.first = static_cast<std::uint32_t>(names.size());
  add_names(value, NameSource::identifier, room, names);
  found.count = static_cast<std::uint32_t>(names.size()) - found.first;
  const auto& comments = comment_hashes();
  for (std::size_t i = found.first; i < names.size(); ++i) {
    found.comment |= std::ranges::binary_search(comments, names[i]);
  }
  class_text_.clear();
  for (const char c : value) {
    if (c < '0' || c > '9') class_text_ += c;
  }
  found.without_digits = word_key(class_text_);
  if (room == kNamesPerElement) known = found;  // otherwise names may be missing
  return found;
}

// Adds the element's names and what its attributes say; returns a hash of its class without digits.
std::uint64_t FeatureBuilder::read_attributes(const xmlNode& source, Node& node) {
  std::uint64_t class_hash = 0;
  const std::size_t first = names_.names.size();
  const auto room = [&] { return kNamesPerElement - std::min(kNamesPerElement, names_.names.size() - first); };
  for (const xmlAttr* attribute = source.properties; attribute; attribute = attribute->next) {
    const auto kind = attribute_kind(attribute->name);
    if (kind == kOtherAttribute) continue;
    const auto value = value_of(*attribute);
    switch (kind) {
      case kClass:
      case kId: {
        const auto read = read_identifier(value, room());
        node.named_comment |= read.comment;
        if (kind == kClass) class_hash = read.without_digits;
        break;
      }
      case kRole:
        for (const auto& [role, bits] : kRoles) {
          if (value == role) node.inside |= bits;
        }
        add_names(value, NameSource::role, room(), names_.names);
        break;
      case kItemProperty:
        add_names(value, NameSource::role, room(), names_.names);
        break;
      case kItemType:
        add_names(value.substr(value.rfind('/') + 1), NameSource::item_type, room(), names_.names);
        break;
      case kStyle:
        if (hides(value)) node.inside |= kNotShown;
        break;
      case kHiddenAttribute:
        node.inside |= kNotShown;
        break;
      default:
        if (value == "true") node.inside |= kNotShown;
        break;
    }
  }
  return class_hash;
}

void FeatureBuilder::add_node(Open& entry, std::int32_t parent) {
  Node node;
  entry.node = static_cast<std::int32_t>(nodes_.size());
  const auto& element = entry.element;
  const bool contains = parent < 0 || element.block || element.body;
  const auto class_hash = read_attributes(*entry.source, node);
  names_.names.push_back(static_cast<std::uint32_t>(element.name) ^ static_cast<std::uint32_t>(NameSource::tag));
  names_.name_offsets.push_back(static_cast<std::int64_t>(names_.names.size()));
  names_.parents.push_back(parent);
  names_.containers.push_back(contains);
  node.tag = element.tag;
  node.inside |= kTagBits[element.tag] | (element.code ? kCodeContext : 0) | (element.control ? kControl : 0) |
                 (element.small_print ? kSmallPrint : 0);
  node.local = mix64(element.name + class_hash * 0x9E3779B97F4A7C15ULL);
  const bool article = (node.inside & kArticle) != 0;
  if (parent >= 0) {
    const Node& around = nodes_[static_cast<std::size_t>(parent)];
    node.inside |= around.inside & ~static_cast<std::uint32_t>(kArticle);
    node.heading = around.heading;
    node.table = around.table;
    node.articles = around.articles;
    node.article_levels = around.article_levels == kNone ? kNone : around.article_levels + contains;
    node.depth = around.depth + 1;
    node.level = around.level + contains;
    node.container = contains ? entry.node : around.container;
    node.outer = contains ? around.container : -1;
    node.path = around.path;
  }
  if (parent < 0) node.container = entry.node;
  node.path = mix64(node.path + node.local);
  if (element.heading) node.heading = static_cast<std::uint8_t>(kBlockTags[element.tag][1] - '0');
  if (element.tag == tag_of("table")) node.table = entry.node;
  if (article) {
    ++node.articles;
    node.article_levels = 0;
  }
  nodes_.push_back(node);
}

void FeatureBuilder::begin_block() {
  // What is open below `lowest_` has been open since the last block, and has a node if that had text inside.
  const std::size_t shared = std::min(lowest_, registered_);
  for (; registered_ < open_.size(); ++registered_) {
    add_node(open_[registered_], registered_ ? open_[registered_ - 1].node : -1);
  }
  Block block;
  block.leaf = open_.back().node;
  block.container = nodes_[static_cast<std::size_t>(block.leaf)].container;
  if (shared > 0) {
    const Node& meeting = nodes_[static_cast<std::size_t>(open_[shared - 1].node)];
    block.meeting = nodes_[static_cast<std::size_t>(meeting.container)].level;
  }
  lowest_ = open_.size();
  blocks_.push_back(block);
  names_.leaves.push_back(block.leaf);
}

void FeatureBuilder::end_block(std::string_view text, std::size_t start) {
  Block& block = blocks_.back();
  const auto own = text.substr(start);
  block.counts = count_text(own, start, state_, marks_.data() + next_mark_, marks_.size() - next_mark_);
  while (next_mark_ < marks_.size() && marks_[next_mark_].position < text.size()) state_ = marks_[next_mark_++];
  block.text = word_key(own);
  if (block.counts.words <= kShortBlock) split_words(own, names_.words);
  names_.word_offsets.push_back(static_cast<std::int64_t>(names_.words.size()));
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

// A container is one of comments if its class or id says so. The root, <body>, <main> and what contains the block like
// the page's title are not, nor are inline elements: many pages link to the comments beside each paragraph.
void FeatureBuilder::mark_comments() {
  const auto title = title_block_ < 0 ? -1 : blocks_[static_cast<std::size_t>(title_block_)].container;
  for (auto e = title; e >= 0; e = nodes_[static_cast<std::size_t>(e)].outer) {
    nodes_[static_cast<std::size_t>(e)].named_comment = false;
  }
  for (std::size_t e = 1; e < nodes_.size(); ++e) {
    Node& node = nodes_[e];
    const bool whole_page = node.tag == 0 || node.tag == tag_of("main");
    const bool is_container = std::cmp_equal(node.container, e);
    if (node.named_comment && is_container && !whole_page) node.inside |= kCommentContext;
    const auto parent = names_.parents[e];
    node.inside |= nodes_[static_cast<std::size_t>(parent)].inside & kCommentContext;
  }
}

void FeatureBuilder::match_title() {
  title_words_.clear();
  split_words(title_, title_words_);
  std::ranges::sort(title_words_);
  std::vector<std::uint32_t> different;
  std::ranges::unique_copy(title_words_, std::back_inserter(different));
  title_words_ = std::move(different);
  std::uint64_t title_bits = 0;  // by the low bits of the hashes: most words are not in the title
  for (const auto word : title_words_) title_bits |= std::uint64_t{1} << (word & 63);
  title_block_ = first_heading_ = -1;
  std::uint32_t best = 127;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const auto heading = nodes_[static_cast<std::size_t>(block.leaf)].heading;
    const auto number = static_cast<std::int64_t>(i);
    if (heading == 1 && first_heading_ < 0) first_heading_ = number;
    const auto first = names_.word_offsets[i], end = names_.word_offsets[i + 1];
    const auto count = static_cast<std::uint64_t>(end - first);
    if (title_words_.empty() || count == 0 || (!heading && block.counts.words < 3)) continue;
    std::uint64_t matched = 0;
    for (auto k = first; k < end; ++k) {
      if (!(title_bits >> (names_.words[static_cast<std::size_t>(k)] & 63) & 1)) continue;
      matched += std::ranges::binary_search(title_words_, names_.words[static_cast<std::size_t>(k)]);
    }
    matched = std::min<std::uint64_t>(matched, title_words_.size());
    block.title = share(2 * matched, count + title_words_.size());
    const std::uint32_t likeness = block.title + (heading == 1 ? 76U : heading ? 38U : 0U);
    if (likeness > best && count >= 2) {
      best = likeness;
      title_block_ = number;
    }
  }
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
    add_word_groups(names_.words.data() + first, static_cast<std::size_t>(end - first), groups_);
    first = end;
    names_.word_offsets[i + 1] = static_cast<std::int64_t>(groups_.size());
  }
  names_.words.swap(groups_);
}

void FeatureBuilder::measure(std::int32_t target, Distance& distance) const {
  distance.up.assign(nodes_.size(), kNone);
  distance.down.assign(nodes_.size(), 0);
  const auto bottom = nodes_[static_cast<std::size_t>(target)].level;
  for (auto e = target; e >= 0; e = nodes_[static_cast<std::size_t>(e)].outer) {
    distance.up[static_cast<std::size_t>(e)] = 0;
    distance.down[static_cast<std::size_t>(e)] = bottom - nodes_[static_cast<std::size_t>(e)].level;
  }
  for (std::size_t e = 1; e < nodes_.size(); ++e) {
    if (nodes_[e].outer < 0 || distance.up[e] != kNone) continue;
    const auto around = static_cast<std::size_t>(nodes_[e].outer);
    distance.up[e] = distance.up[around] + 1;
    distance.down[e] = distance.down[around];
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

template <class Value>
void FeatureBuilder::put(Feature feature, Value value) {
  if (!wanted_[static_cast<std::size_t>(feature)]) return;
  std::uint8_t* column = values_.data() + static_cast<std::size_t>(feature) * blocks_.size();
  for (std::size_t i = 0; i < blocks_.size(); ++i) column[i] = value(blocks_[i], i);
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
  for (std::size_t bit = 0; bit <= 18; ++bit) {
    put(Feature::kInMain + bit, [&](B b, N) { return static_cast<std::uint8_t>(leaf(b).inside >> bit & 1); });
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
  const auto place = [](B b) { return static_cast<std::size_t>(b.container); };
  put(Feature::kTitleUp, [&](B b, N) { return titled ? clip(to_title_.up[place(b)]) : std::uint8_t{255}; });
  put(Feature::kTitleDown, [&](B b, N) { return titled ? clip(to_title_.down[place(b)]) : std::uint8_t{255}; });
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

void FeatureBuilder::fill_groups() {
  using B = const Block&;
  using N = std::size_t;
  const auto path = [&](B b) -> const Group& { return paths_.slots[b.path]; };
  const auto like = [&](B b) -> const Group& { return likes_.slots[b.like]; };
  put(Feature::kSameText, [&](B b, N) { return clip(texts_.slots[b.same].blocks); });
  put(Feature::kPathBlocks, [&](B b, N) { return steps_of(path(b).blocks); });
  put(Feature::kPathWords, [&](B b, N) { return steps_of(path(b).words); });
  put(Feature::kLikeBlocks, [&](B b, N) { return steps_of(like(b).blocks); });
  const auto rest = [&](Feature first, auto group) {
    put(first, [&](B b, N) { return share(group(b).link_words, group(b).words); });
    put(first + 1, [&](B b, N) { return steps_of(group(b).words / group(b).blocks); });
    put(first + 2, [&](B b, N) { return share(group(b).running, group(b).words); });
    put(first + 3, [&](B b, N) { return share(group(b).running, page_.running); });
  };
  rest(Feature::kPathLinkDensity, path);
  rest(Feature::kLikeLinkDensity, like);
}

void FeatureBuilder::fill_container(Feature first, const std::vector<std::int32_t>& nodes) {
  const auto value = [&](std::size_t place, auto of) {
    put(first + place, [&](const Block&, std::size_t i) {
      return nodes[i] < 0 ? std::uint8_t{0} : of(nodes_[static_cast<std::size_t>(nodes[i])], i);
    });
  };
  value(0, [](const Node& n, std::size_t) { return steps_of(n.words); });
  value(1, [](const Node& n, std::size_t) { return share(n.link_words, n.words); });
  value(2, [](const Node& n, std::size_t) { return share(n.running, n.words); });
  value(3, [](const Node& n, std::size_t) { return steps_of(n.blocks); });
  value(4, [](const Node& n, std::size_t) { return steps_of(n.words / n.blocks); });
  value(5, [&](const Node& n, std::size_t) { return share(n.running, page_.running); });
  value(6, [&](const Node& n, std::size_t) { return share(n.readability, top_readability_); });
  value(7, [](const Node& n, std::size_t i) { return share(i - n.first, n.blocks); });
}

void FeatureBuilder::fill_containers() {
  using B = const Block&;
  using N = std::size_t;
  put(Feature::kOwnBlocks, [&](B b, N) { return steps_of(container(b).blocks); });
  put(Feature::kOwnLinkDensity, [&](B b, N) { return share(container(b).link_words, container(b).words); });
  chain_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) chain_[i] = blocks_[i].container;
  const auto climb = [&] {
    for (auto& node : chain_) node = node < 0 ? -1 : nodes_[static_cast<std::size_t>(node)].outer;
  };
  for (const auto first : {Feature::kSecondWords, Feature::kThirdWords, Feature::kFourthWords}) {
    climb();
    fill_container(first, chain_);
  }
  climb();
  const auto fifth = [&](Feature feature, auto of) {
    put(feature,
        [&](B, N i) { return chain_[i] < 0 ? std::uint8_t{0} : of(nodes_[static_cast<std::size_t>(chain_[i])]); });
  };
  fifth(Feature::kFifthLinkDensity, [](const Node& n) { return share(n.link_words, n.words); });
  fifth(Feature::kFifthRunning, [](const Node& n) { return share(n.running, n.words); });
  fifth(Feature::kFifthShare, [&](const Node& n) { return share(n.running, page_.running); });
  fifth(Feature::kFifthReadability, [&](const Node& n) { return share(n.readability, top_readability_); });
  put(Feature::kReadability, [&](B b, N) { return share(container(b).best, top_readability_); });
}

void FeatureBuilder::fill_target(Feature first, std::int32_t target, const Distance& distance) {
  const Node& node = nodes_[static_cast<std::size_t>(target)];
  put(first, [&](const Block& b, std::size_t) { return clip(distance.up[static_cast<std::size_t>(b.container)]); });
  put(first + 1,
      [&](const Block& b, std::size_t) { return clip(distance.down[static_cast<std::size_t>(b.container)]); });
  put(first + 2, [&](const Block&, std::size_t i) {
    return static_cast<std::uint8_t>(i < node.first ? 0 : i > node.last ? 2 : 1);
  });
}

void FeatureBuilder::fill_targets() {
  fill_target(Feature::kTopUp, top_, to_top_);
  fill_target(Feature::kHalfUp, half_, to_half_);
  fill_target(Feature::kMostUp, most_, to_most_);
}

void FeatureBuilder::fill_running() {
  using B = const Block&;
  using N = std::size_t;
  const std::size_t count = blocks_.size();
  series_.resize(count);
  // Fills `series_` in one direction with the value before each block, which `next` updates by the block.
  const auto series = [&](bool forward, std::uint32_t start, auto next) {
    std::uint32_t value = start;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = forward ? k : count - 1 - k;
      series_[i] = value;
      value = next(value, blocks_[i]);
    }
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
    series(forward, 0, smooth);
    put(Feature::kRunningUp + back, [&](B, N i) { return steps_of(series_[i] / 16); });
    series(forward, 50, since_running);
    put(Feature::kSinceRunning + back, [&](B, N i) { return clip(series_[i]); });
    series(forward, 50, since_links);
    put(Feature::kSinceLinks + back, [&](B, N i) { return clip(series_[i]); });
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
  if (!wants_names_) return;
  std::uint8_t* columns[kNameColumns];
  for (std::size_t k = 0; k < kNameColumns; ++k) {
    columns[k] = values_.data() + static_cast<std::size_t>(kFirstTableFeature + k) * blocks_.size();
  }
  name_columns(names_, model_->names(), model_->words(), columns);
}

void FeatureBuilder::fill_columns() {
  values_.assign(kFeatures.size() * blocks_.size(), 0);
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

void FeatureBuilder::compute() {
  sum_containers();
  rate_containers();
  match_title();
  mark_comments();
  for (std::size_t i = 0; i < blocks_.size(); ++i) columns_.kinds.push_back(static_cast<std::uint8_t>(kind(i)));
  if (wants_names_ || demand_.names) group_words();
  if (!model_ && !demand_.columns) return;
  group_blocks();
  measure(top_, to_top_);
  measure(half_, to_half_);
  measure(most_, to_most_);
  if (title_block_ >= 0) measure(blocks_[static_cast<std::size_t>(title_block_)].container, to_title_);
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
  if (model_) {
    scores_.resize(blocks_.size());
    model_->score(values_.data(), blocks_.size(), blocks_.size(), scores_.data());
    columns_.scores.insert(columns_.scores.end(), scores_.begin(), scores_.end());
  }
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
  state_ = {0, false, false};
  links_ = bolds_ = 0;
  title_.clear();
  page_type_ = 0;
  dated_ = false;
  attribute_names_.fill({});
  identifiers_.fill({});
}

}  // namespace corpusprep
