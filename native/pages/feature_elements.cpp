// Features of elements: their attributes, their names, and what they say of the blocks inside.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "common/hash.hpp"
#include "pages/bytes.hpp"
#include "pages/feature_values.hpp"
#include "pages/features.hpp"

namespace corpusprep {

namespace {

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

constexpr std::string_view kCommentNames[] = {
    "comment",    "comments",   "commentlist", "commenttext", "commentarea",  "disqus",   "kommentar",
    "kommentare", "comentario", "comentarios", "commentaire", "commentaires", "commento", "commenti",
    "komentarze", "komentarz",  "kommentarer", "reacties",    "komentari",    "yorumlar", "replies",
};

// Hashes of the names above, and by their lowest six bits which there are: most names are none of them.
struct CommentNames {
  std::array<std::uint32_t, std::size(kCommentNames)> hashes{};
  std::uint64_t low_bits = 0;

  CommentNames() {
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      hashes[i] = name_hash_of(kCommentNames[i], NameSource::identifier);
      low_bits |= std::uint64_t{1} << (hashes[i] & 63);
    }
  }
};

bool says_comment(std::uint32_t name) {
  static const CommentNames names;
  return (names.low_bits >> (name & 63) & 1) && std::ranges::find(names.hashes, name) != names.hashes.end();
}

enum AttributeKind : std::uint8_t {
  kOtherAttribute,
  kClass,
  kId,
  kItemProperty,
  kRole,
  kItemType,
  kTargetName,
  kLinkTo
};

}  // namespace

// Returns what an attribute is by its name. Names come from the dictionary of the document: those of a page are few,
// and the cache has them.
std::uint8_t FeatureBuilder::attribute_kind(const xmlChar* name) {
  constexpr std::string_view kNames[] = {"", "class", "id", "itemprop", "role", "itemtype", "name", "href"};
  auto& slot = attribute_names_[(reinterpret_cast<std::uintptr_t>(name) >> 3) & (attribute_names_.size() - 1)];
  if (slot.name == name) return slot.kind;
  slot = {name, kOtherAttribute};
  for (std::size_t kind = 1; kind < std::size(kNames); ++kind) {
    if (view(name) == kNames[kind]) slot.kind = static_cast<std::uint8_t>(kind);
  }
  return slot.kind;
}

// Returns whether an <a> is a place to link to, and no link: it has a name or an id, but no address. Old pages often
// leave it open, so that the text behind it seems to be linked.
bool FeatureBuilder::is_target(const xmlNode& link) {
  bool named = false;
  for (const xmlAttr* attribute = link.properties; attribute; attribute = attribute->next) {
    const auto kind = attribute_kind(attribute->name);
    if (kind == kLinkTo) return false;
    named |= kind == kId || kind == kTargetName;
  }
  return named;
}

// Counts the names from names_.names[first] on to the element, and weighs them.
void FeatureBuilder::take_names(std::size_t first, ElementNames& element) {
  element.room -= names_.names.size() - first;
  if (!wants_names_) return;
  for (std::size_t i = first; i < names_.names.size(); ++i) element.weights += model_->names().find(names_.names[i]);
}

// Adds the names in a class or an id. Sites repeat few of them: what was read of a value is kept from page to page,
// with the value, so that it decides nothing but the time.
const FeatureBuilder::Identifier& FeatureBuilder::read_identifier(std::string_view value, bool is_class,
                                                                  ElementNames& element) {
  const std::uint64_t key = edge_key(value) ^ static_cast<std::uint64_t>(is_class);
  Identifier& known = identifiers_[(key >> 32) & (identifiers_.size() - 1)];
  if (known.key == key && known.size == value.size() && known.count <= element.room && !demand_.names &&
      std::memcmp(identifier_texts_.data() + known.text, value.data(), value.size()) == 0) {
    element.room -= known.count;
    element.weights += known.weights;
    return known;
  }
  const auto before = element;
  read_ = parse_identifier(value, is_class, element);
  read_.key = key;
  const bool complete = before.room == kNamesPerElement;  // otherwise names may be missing
  if (!complete || value.empty() || value.size() > kLongIdentifier) return read_;
  if (identifier_texts_.size() + value.size() > kIdentifierBytes) {
    identifier_texts_.clear();
    identifiers_.fill({});
  }
  read_.text = static_cast<std::uint32_t>(identifier_texts_.size());
  read_.size = static_cast<std::uint32_t>(value.size());
  identifier_texts_ += value;
  known = read_;
  return read_;
}

FeatureBuilder::Identifier FeatureBuilder::parse_identifier(std::string_view value, bool is_class,
                                                            ElementNames& element) {
  Identifier found;
  const auto& names = names_.names;
  const std::size_t first = names.size();
  const auto before = element.weights;
  add_names(value, NameSource::identifier, element.room, names_.names);
  take_names(first, element);
  found.count = static_cast<std::uint32_t>(names.size() - first);
  found.weights = {element.weights.near - before.near, element.weights.far - before.far};
  for (std::size_t i = first; i < names.size(); ++i) found.comment |= says_comment(names[i]);
  if (!is_class) return found;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (std::ranges::any_of(value, digit)) {
    class_text_.clear();
    std::ranges::copy_if(value, std::back_inserter(class_text_), [&](char c) { return !digit(c); });
    found.without_digits = word_key(class_text_);
  } else {
    found.without_digits = word_key(value);
  }
  return found;
}

// Adds the element's names and what its attributes say; returns a hash of its class without digits.
std::uint64_t FeatureBuilder::read_attributes(const xmlNode& source, Node& node, ElementNames& names) {
  std::uint64_t class_hash = 0;
  const auto add = [&](std::string_view value, NameSource from) {
    const std::size_t first = names_.names.size();
    add_names(value, from, names.room, names_.names);
    take_names(first, names);
  };
  for (const xmlAttr* attribute = source.properties; attribute; attribute = attribute->next) {
    const auto kind = attribute_kind(attribute->name);
    if (kind == kOtherAttribute || kind == kTargetName || kind == kLinkTo) continue;
    const auto value = value_of(*attribute);
    switch (kind) {
      case kClass:
      case kId: {
        const auto& read = read_identifier(value, kind == kClass, names);
        node.named_comment |= read.comment;
        if (kind == kClass) class_hash = read.without_digits;
        break;
      }
      case kRole:
        for (const auto& [role, bits] : kRoles) {
          if (value == role) node.inside |= bits;
        }
        add(value, NameSource::role);
        break;
      case kItemProperty:
        add(value, NameSource::role);
        break;
      default:
        add(value.substr(value.rfind('/') + 1), NameSource::item_type);
        break;
    }
  }
  return class_hash;
}

void FeatureBuilder::add_node(Open& entry, std::int32_t parent, bool hidden) {
  entry.node = static_cast<std::int32_t>(nodes_.size());
  static constexpr Node kNew;
  Node& node = nodes_.emplace_back(kNew);
  const auto& element = entry.element;
  const bool contains = parent < 0 || element.block || element.body;
  ElementNames own_names;
  const auto class_hash = read_attributes(*entry.source, node, own_names);
  comments_named_ |= node.named_comment;
  const auto tag_name = static_cast<std::uint32_t>(element.name) ^ static_cast<std::uint32_t>(NameSource::tag);
  if (demand_.names) names_.names.push_back(tag_name);
  if (wants_names_) {
    // Summed up in registers: a copy of two numbers that were just written one by one waits for both.
    const auto [near, far] = model_->names().find(tag_name);
    element_weights_.push_back({own_names.weights.near + near, own_names.weights.far + far});
  }
  names_.name_offsets.push_back(static_cast<std::int64_t>(names_.names.size()));
  names_.parents.push_back(parent);
  names_.containers.push_back(contains);
  node.tag = element.tag;
  const auto bit_if = [](bool holds, Context bit) { return holds ? static_cast<std::uint32_t>(bit) : 0U; };
  node.inside |= kTagBits[element.tag] | bit_if(element.code, kCodeContext) | bit_if(element.control, kControl) |
                 bit_if(element.small_print, kSmallPrint) | bit_if(element.title, kPageTitle) |
                 bit_if(hidden, kNotShown);
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
}

// A container is one of comments if its class or id says so. The root, <body>, <main> and what contains the block like
// the page's title are not, nor are inline elements: many pages link to the comments beside each paragraph.
void FeatureBuilder::mark_comments() {
  if (!comments_named_) return;
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

}  // namespace corpusprep
