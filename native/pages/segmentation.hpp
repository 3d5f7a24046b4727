// Segmentation of a page into textual blocks, with counts (Pomikálek 2011, 2.7 and 2.7.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pages/element.hpp"
#include "pages/structure.hpp"
#include "text/visible.hpp"
#include "text/word_set.hpp"

namespace corpusprep {

// Names of block-level elements: those of the thesis (footnote 15), then others that browsers format as blocks.
// [0], "body", stands for text outside all of them.
inline constexpr std::array<std::string_view, 51> kBlockTags = {
    "body",   "blockquote", "caption",  "center",  "col",     "colgroup", "dd",      "div",   "dl",
    "dt",     "fieldset",   "form",     "h1",      "h2",      "h3",       "h4",      "h5",    "h6",
    "legend", "li",         "optgroup", "option",  "p",       "pre",      "table",   "td",    "textarea",
    "tfoot",  "th",         "thead",    "tr",      "ul",      "address",  "article", "aside", "details",
    "dialog", "figcaption", "figure",   "footer",  "header",  "hgroup",   "hr",      "main",  "menu",
    "nav",    "ol",         "search",   "section", "summary", "tbody"};

// Returns the element of that name (lower case). An unknown element has no meaning.
Element element_named(std::string_view name) noexcept;

// Most bytes that are composed again when a mark follows in another element, so that time is linear.
inline constexpr std::size_t kLongestJoint = 64;

enum BlockFlag : std::uint8_t {
  kHeading = 1,    // inside h1 … h6
  kInSelect = 2,   // in the choices of a form
  kCopyright = 4,  // contains ©
};

// Blocks of one or more pages as columns. All columns except text, offsets, pages and invisible
// have one value per block.
struct BlockColumns {
  std::string text;                             // UTF-8, blocks one after another
  std::vector<std::int64_t> offsets;            // blocks + 1 positions in `text`
  std::vector<std::int64_t> pages;              // pages + 1 block numbers: where the blocks of each page start
  std::vector<std::uint32_t> invisible;         // per page: characters that nobody sees and that were left out
  std::vector<std::uint8_t> tags;               // index into kBlockTags
  std::vector<std::uint8_t> flags;              // BlockFlag
  std::vector<std::uint32_t> words;             // separated by white space; otherwise see WordCounts
  std::vector<std::uint32_t> link_words;        // with a character inside <a>
  std::vector<std::uint32_t> alphabetic_words;  // longest sequences of letters and marks; hyphenated words count once
  std::vector<std::uint32_t> stop_words;        // of these, in the stop list
  std::vector<std::int64_t> breaks;             // positions in `text` of zero-width spaces between words (BlockBuilder)
  // If words are written without spaces, the last two columns count characters: stop words are the longest matches from
  // left to right, and a word of another script counts as `characters_per_word` characters.

  BlockColumns() : offsets{0}, pages{0} {}
  std::size_t size() const noexcept { return words.size(); }
  void clear();  // keeps the memory
};

// Counts the running words of a block in a language whose words are written without spaces. Word count = characters /
// mean word length; words of other scripts and numbers are added (2.7.2 counts words; the thesis leaves such languages
// out).
class WordCounts {
 public:
  explicit WordCounts(double characters_per_word) : characters_per_word_(characters_per_word) {}
  void space() noexcept { inside_other_ = false; }
  void character(char32_t code_point, bool linked) noexcept;
  std::uint32_t words() const noexcept;       // at least 1
  std::uint32_t link_words() const noexcept;  // at least 1 if any counted character was linked, at most words()
  void clear() noexcept { *this = WordCounts(characters_per_word_); }

 private:
  double characters_per_word_;
  std::uint32_t characters_ = 0, link_characters_ = 0, others_ = 0, link_others_ = 0;
  bool inside_other_ = false, other_linked_ = false;
};

// Words of a block: all, and those in the stop list (BlockColumns::alphabetic_words and stop_words), in a language
// whose words are separated by white space.
struct AlphabeticWords {
  std::uint32_t all = 0, stop = 0;
};
AlphabeticWords count_alphabetic(std::string_view block, const WordSet& stop_words);

class FeatureBuilder;
class OutlineBuilder;

// Builds the blocks of a page from its elements and text in document order. White space becomes single spaces.
// Characters that nobody sees are left out (text/visible.hpp). The text is in normalisation form C, unless more than
// kLongestJoint bytes of marks stand behind a character that is in another element. Zero-width spaces between letters
// of scripts of South-East Asia, which are ends of words, are kept apart from the text.
class BlockBuilder {
 public:
  // All arguments must outlive the builder. Appends blocks to `columns`, and their structure, features and outline to
  // `structure`, `features` and `outline` unless these are null. `characters_per_word` (> 0) is the mean word length of
  // a language that is written without spaces; 0 for languages whose words are separated by white space.
  BlockBuilder(const WordSet& stop_words, BlockColumns& columns, double characters_per_word = 0,
               StructureBuilder* structure = nullptr, FeatureBuilder* features = nullptr,
               OutlineBuilder* outline = nullptr);

  void open(Element element);
  void close(Element element);
  void text(std::string_view given);  // any bytes; invalid UTF-8 becomes U+FFFD
  void space() noexcept;              // separates words
  void end_blocks();                  // ends the block that is open
  void end_page();
  void abandon_page();  // takes all of the page back that is not ended

  // Keeps characters as they are composed, from now on.
  void keep_composition() noexcept { composes_ = false; }

  // For text outside all elements: the block-level element around it.
  void begin_in(std::uint8_t tag) {
    tags_.assign(1, tag);
    start();
  }
  std::uint8_t tag() const noexcept { return tags_.back(); }
  const BlockColumns& columns() const noexcept { return columns_; }
  FeatureBuilder* features() const noexcept { return features_; }
  OutlineBuilder* outline() const noexcept { return outline_; }
  std::size_t text_end() const noexcept { return columns_.text.size(); }

 private:
  void start();
  void reset();
  void flush();
  void end_piece();
  void characters(std::string_view bytes);
  void join(std::string_view bytes);
  void add_break(char32_t next);
  void count_sequences(std::string_view block, std::uint32_t& alphabetic, std::uint32_t& stop) const;

  const WordSet& stop_words_;
  BlockColumns& columns_;
  const double characters_per_word_;
  WordCounts counts_;
  StructureBuilder* structure_;
  FeatureBuilder* features_;
  OutlineBuilder* outline_;
  std::vector<std::uint8_t> tags_;
  std::uint32_t links_ = 0, headings_ = 0, selects_ = 0, breaks_ = 0;
  std::size_t block_start_ = 0;
  std::uint32_t words_ = 0, link_words_ = 0;
  std::uint8_t tag_ = 0, flags_ = 0;
  bool inside_word_ = false, word_linked_ = false, composes_ = true, break_ = false;
  VisibleText visible_;
};

}  // namespace corpusprep
