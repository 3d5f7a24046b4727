// Features of blocks: what a learned cleaner reads of a block, of the elements around it and of its page.
//
// A feature is a whole number from 0 to 255, whatever the page. It depends on its page alone. See kFeatures for the
// unit of each, and tests/support/plain_features.py for the same in plain Python.
#pragma once

#include <libxml/tree.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/prefetch.hpp"
#include "pages/block_model.hpp"
#include "pages/block_names.hpp"
#include "pages/element.hpp"
#include "pages/feature_list.hpp"
#include "text/ascii_classes.hpp"

namespace corpusprep {

// What a block is, whether it is main content or not.
enum class BlockKind : std::uint8_t { text, heading, title, list, table, code, caption, comment };

inline constexpr std::array<std::string_view, 8> kBlockKinds = {"text",  "heading", "title",   "list",
                                                                "table", "code",    "caption", "comment"};

// What a block is in the structure of the text, as CleanEval marks it.
enum class BlockType : std::uint8_t { paragraph, heading, list };

inline constexpr std::array<std::string_view, 3> kBlockTypes = {"p", "h", "l"};

// A heading by its look has at most as many words, and as large a share of them bold.
inline constexpr std::uint32_t kHeadingWords = 15, kHeadingBold = 192;
// Blocks with the same names and classes from the root on are short if their mean is below.
inline constexpr std::uint32_t kShortMean = 10;

// Which of the columns a FeatureBuilder fills.
struct FeatureDemand {
  bool columns = false;  // the features themselves
  bool names = false;    // what the tables of a model are trained from
  // With `columns`, per feature whether it is asked for; empty: all are.
  std::vector<bool> wanted;
};

// Features of the blocks of one or more pages. A column that was not asked for stays empty.
struct FeatureColumns {
  std::vector<std::vector<std::uint8_t>> features;  // kFeatures.size() columns, one value per block
  std::vector<std::uint8_t> kinds;                  // index into kBlockKinds, one per block
  std::vector<std::uint8_t> types;                  // index into kBlockTypes, one per block
  std::vector<std::uint16_t> scores;                // per mille that the block is main content; needs a model
  BlockNames names;

  FeatureColumns() : features(kFeatures.size()) {}
  void clear();  // keeps the memory
};

// Counts of the characters and words of a block. A word is a sequence without white space; where words are written
// without spaces, 0.6 words per Chinese or Japanese character and 0.25 per character of South-East Asia.
struct TextCounts {
  std::uint32_t words = 1, link_words = 0;  // link_words <= words
  std::uint32_t spaced = 0;                 // sequences without white space
  std::uint32_t letters = 0, capitals = 0, unspaced = 0;
  std::uint32_t commas = 0, ends = 0;
  std::uint32_t capitalised = 0, bold_words = 0;  // of `spaced`
  std::uint32_t links = 0;                        // linked parts with text
  std::uint8_t last = 0;                          // class of the last character
  // For features that not every model reads:
  std::uint32_t characters = 0, digits = 0, punctuation = 0, separators = 0, quotes = 0;
  std::uint32_t all_capitals = 0;  // of `spaced`
  std::uint8_t first = 0;          // class of the first character
  bool copyright = false, at_sign = false, address = false;
};
// These features.
inline constexpr std::array kFeaturesOfAllCounts = {
    Feature::kWordLength, Feature::kFirstCharacter, Feature::kAllCapitals, Feature::kDigits,  Feature::kPunctuation,
    Feature::kUnspaced,   Feature::kCopyright,      Feature::kSeparators,  Feature::kAddress, Feature::kQuotes};

// A place in the text of a page from which on text is linked or bold, or is so no longer.
struct TextMark {
  std::size_t position;
  bool linked, bold;
};

// Counts `text`, which starts at `position` of a longer text and of the marks. `state` is the mark in force at its
// start, and `counts` are new. Unless `all`, counts for the features above may be anything. Returns the classes of the
// characters of ASCII that the text begins with.
AsciiClasses count_text(std::string_view text, std::size_t position, TextMark state, const TextMark* marks,
                        std::size_t mark_count, bool all, TextCounts& counts) noexcept;

// On a page without a word outside links, lower scores are 0: models have seen few such pages, and menus are more
// common among them than lists that are the content.
inline constexpr std::uint16_t kLeastOfLinks = 400;
// On a page with fewer words, all scores are 0: one or two are no text, whatever a model makes of so little.
inline constexpr std::uint32_t kLeastWords = 3;

// Follows a walk over pages and fills the columns, which must outlive it; so must the model, unless it is null. With a
// model, scores are computed. Linear time in the size of the page. Buffers are kept from page to page.
class FeatureBuilder {
 public:
  FeatureBuilder(FeatureColumns& columns, FeatureDemand demand, const BlockModel* model = nullptr);

  // An element that the walk enters; `text_end` is the size of the text of all blocks so far.
  void open(const Element& element, const xmlNode& node, std::size_t text_end) {
    open_.push_back({element, &node, -1});
    fetch_attributes(node);
    Element& own = open_.back().element;
    if (own.link && is_target(node)) own.link = false;
    if (own.link || own.bold) open_mark(own, text_end);
  }
  void close(std::size_t text_end) {
    const Element own = open_.back().element;
    open_.pop_back();
    registered_ = std::min(registered_, open_.size());
    lowest_ = std::min(lowest_, open_.size());
    if (own.link || own.bold) close_mark(own, text_end);
  }
  void metadata(const xmlNode& node);  // an element that <head> may have, before it is entered
  // Moves the places behind `from` where links and bold text begin or end to `to`: the text between was written again.
  void move_marks(std::size_t from, std::size_t to) noexcept;
  void begin_block();                                        // at the first character of a block
  void end_block(std::string_view text, std::size_t start);  // the block is text[start:]
  void end_page();
  void abandon_page() { clear_page(); }  // nothing of the page was kept yet
  // Of the open elements, those from this number on are not shown; what begins now is in the innermost one.
  void hide_from(std::size_t first) noexcept { hidden_from_ = first; }
  // Returns whether its buffers take more than some megabytes: a page was larger than usual.
  bool large() const noexcept { return nodes_.capacity() > kManyNodes || values_.capacity() > kManyValues; }

 private:
  static constexpr std::size_t kManyNodes = 1 << 14, kManyValues = 1 << 20;
  struct Open {
    Element element;
    const xmlNode* source;
    std::int32_t node;  // -1 until text is found inside
  };
  // An element with text inside. Containers are block-level elements, <body> and the root.
  struct Node {
    std::int32_t container = 0;  // itself, or the container around it
    std::int32_t outer = -1;     // of a container: the container around it; -1 for the root
    std::int32_t table = -1;     // the innermost <table> around it
    std::uint8_t tag = 0, heading = 0;
    std::uint32_t articles = 0, article_levels = kNone;  // around it; containers up to the nearest one
    std::uint32_t depth = 0, level = 0;                  // elements, and containers, around it
    std::uint32_t inside = 0;                            // bits of Context
    std::uint64_t local = 0, path = 0;                   // hash of name and class; of all these from the root on
    bool named_comment = false;
    // Of a container, over the blocks inside:
    std::uint32_t words = 0, link_words = 0, running = 0, blocks = 0, first = kNone, last = 0;
    std::uint64_t readability = 0, best = 0;  // its own score; the best of those around it
  };
  struct Block {
    TextCounts counts;
    std::uint64_t text = 0;   // hash
    std::uint32_t bytes = 0;  // of the text
    std::int32_t leaf = 0, container = 0;
    std::uint32_t meeting = 0;  // level of the innermost container that it shares with the block before
    std::uint32_t running = 0;  // its words outside links if it is running text
    std::uint32_t title = 0;    // likeness to the page's title, 0 to 255
    std::uint32_t path = 0, like = 0, same = 0;  // its groups
  };
  // Blocks with the same key.
  struct Group {
    std::uint64_t key = 0;
    std::uint32_t blocks = 0, words = 0, link_words = 0, running = 0;
  };
  struct Groups {
    std::vector<Group> all;            // in the order of their first blocks
    std::vector<std::uint32_t> slots;  // by key: the number of a group and 1; 0: free
    void clear(std::size_t blocks);
    std::uint32_t add(std::uint64_t key, const Block& block);
  };
  // Of a container: containers up to the one shared with each target, and from there down to the target.
  enum Target : std::uint8_t { kTop, kHalf, kMost, kTitle };
  struct Distances {
    std::array<std::uint32_t, 4> up{}, down{};
  };
  // Blocks in a row, up to the one before `end`, with the same container; -1: they have none.
  struct Row {
    std::int32_t node;
    std::uint32_t end;
  };
  struct PageCounts {
    std::uint32_t words = 0, link_words = 0, running = 0, longest = 0, running_blocks = 0, paragraph_words = 0;
  };
  struct AttributeName {
    const xmlChar* name = nullptr;
    std::uint8_t kind = 0;
  };
  // What was read of a class or an id, identifier_texts_[text:text + size].
  struct Identifier {
    std::uint64_t key = 0;
    std::uint64_t without_digits = 0;             // of a class: a hash
    std::uint32_t text = 0, size = 0, count = 0;  // of its names
    WeightTable::Weights weights;                 // of its names, by the model's table
    bool comment = false;
  };
  static constexpr std::size_t kLongIdentifier = 1 << 10, kIdentifierBytes = 1 << 16;
  // What the names of an element add up to.
  struct ElementNames {
    std::size_t room = kNamesPerElement;  // names that it may still have
    WeightTable::Weights weights;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  const Identifier& read_identifier(std::string_view value, bool is_class, ElementNames& element);
  Identifier parse_identifier(std::string_view value, bool is_class, ElementNames& element);
  void take_names(std::size_t first, ElementNames& element);
  std::uint8_t attribute_kind(const xmlChar* name);
  bool is_target(const xmlNode& link);
  // Brings the first attribute into the cache, and what the parser allocated behind it: mostly its value and the next
  // attribute. Where trees are larger than the caches, this takes a third of the time off.
  static void fetch_attributes(const xmlNode& node) {
    if (!node.properties) return;
    const auto* attribute = reinterpret_cast<const char*>(node.properties);
    for (const std::size_t line : {0, 64, 128, 192, 256}) prefetch_line(attribute + line);
  }
  void mark(std::size_t text_end);
  void open_mark(const Element& element, std::size_t text_end);
  void close_mark(const Element& element, std::size_t text_end);
  void add_node(Open& entry, std::int32_t parent, bool hidden);
  std::uint64_t read_attributes(const xmlNode& source, Node& node, ElementNames& names);
  void compute();
  void sum_containers();
  void rate_containers();
  void mark_comments();
  void match_title();
  void compare_with_title(std::string_view title);
  void group_blocks();
  void group_words();
  void weigh_words();
  void measure_distances();
  BlockKind kind(std::size_t number) const;
  BlockType type(std::size_t number, BlockKind kind) const;
  void fill_columns();
  void fill_text();
  void fill_elements();
  void fill_position();
  void fill_headings();
  void fill_page();
  void fill_groups();
  void fill_containers();
  void fill_container(Feature first);
  void climb();
  void fill_targets();
  void fill_target(Feature first, std::int32_t place, Target target);
  void fill_running();
  void fill_windows();
  void fill_neighbour(Feature first, std::int64_t step);
  void fill_names();
  template <class Value>
  void put(Feature feature, Value value);
  template <class Value>
  void put_of_chain(Feature feature, Value of);
  template <auto kGroup, class Value>
  void put_of_group(Feature feature, const Groups& groups, Value of);
  bool wants(Feature feature) const { return wanted_[static_cast<std::size_t>(feature)]; }
  void keep();
  void score_blocks();
  void clear_page();

  const Node& container(const Block& block) const { return nodes_[static_cast<std::size_t>(block.container)]; }
  const Node* outer(const Node& node) const {
    return node.outer < 0 ? nullptr : &nodes_[static_cast<std::size_t>(node.outer)];
  }

  FeatureColumns& columns_;
  const FeatureDemand demand_;
  const BlockModel* model_;
  std::vector<bool> wanted_;  // per feature
  bool wants_names_ = false;  // columns that need the model's tables
  bool counts_all_ = false;   // all of TextCounts

  // The page so far.
  std::vector<Open> open_;
  std::size_t registered_ = 0;  // of open_: how many have a node
  std::size_t hidden_from_ = static_cast<std::size_t>(-1);
  std::size_t lowest_ = 0;  // smallest size of open_ since the last block
  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  BlockNames names_;  // its names are those of the elements only if names are asked for
  std::vector<WeightTable::Weights> element_weights_;  // per element, by the model's table of names
  std::vector<TextMark> marks_;
  std::size_t next_mark_ = 0;
  TextMark state_{0, false, false};
  std::uint32_t links_ = 0, bolds_ = 0;
  std::string title_, shared_title_, class_text_;  // shared_title_: og:title, without the name of the site
  std::uint8_t page_type_ = 0;
  bool dated_ = false, comments_named_ = false;  // comments_named_: an element's class or id says comment
  std::array<AttributeName, 64> attribute_names_{};
  std::array<Identifier, 512> identifiers_{};  // kept from page to page
  std::string identifier_texts_;
  Identifier read_;

  // Computed at its end.
  PageCounts page_;
  std::uint64_t top_readability_ = 0;  // of the page's best container
  std::int32_t top_ = 0, half_ = 0, most_ = 0;
  std::int64_t title_block_ = -1, first_heading_ = -1;
  Groups paths_, likes_, texts_;
  std::vector<Distances> distances_;  // per node
  std::vector<std::uint32_t> title_words_, groups_;
  std::vector<std::uint32_t> words_before_, links_before_, running_before_;  // sums over the blocks before
  std::vector<Row> chain_;                                                   // one container of each block
  std::vector<std::uint32_t> series_;                                        // per block: a value
  std::vector<WordSum> word_sums_;                                           // per block
  std::vector<ChainSums> chain_sums_;                                        // a buffer
  std::vector<std::uint8_t> group_values_;                                   // per group: a value
  std::vector<std::uint8_t> values_;  // features x blocks of the page; rows that were not asked for hold anything
  std::vector<std::uint16_t> scores_;
  std::vector<std::uint32_t> sizes_;  // per block: bytes of its text
  std::vector<std::uint8_t> hidden_;  // per block
};

}  // namespace corpusprep
