// A page's elements and text, cut into textual blocks that are counted (Pomikálek 2011, 2.7 and 2.7.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pages/element.hpp"
#include "pages/structure.hpp"
#include "text/word_set.hpp"

namespace corpusprep {

// Names of block-level elements; [0], "body", stands for text in none of them.
extern const std::vector<std::string_view> kBlockTags;

// The element of that name (lower case); an unknown one has no meaning.
Element element_named(std::string_view name) noexcept;

enum BlockFlag : std::uint8_t {
  kHeading = 1,    // inside h1 … h6
  kInSelect = 2,   // among the choices of a form
  kCopyright = 4,  // contains ©
};

// Blocks of one or more pages, column by column; all but text and the offsets have a value a block.
struct BlockColumns {
  std::string text;                             // UTF-8, blocks one after another
  std::vector<std::int64_t> offsets;            // blocks + 1 positions in `text`
  std::vector<std::int64_t> pages;              // pages + 1 block numbers: where each page's blocks start
  std::vector<std::uint8_t> tags;               // index into kBlockTags
  std::vector<std::uint8_t> flags;              // BlockFlag
  std::vector<std::uint32_t> words;             // separated by white space, or see WordCounts
  std::vector<std::uint32_t> link_words;        // with a character inside <a>
  std::vector<std::uint32_t> alphabetic_words;  // longest sequences of letters and marks, hyphenated ones whole
  std::vector<std::uint32_t> stop_words;        // of these, in the stop list
  // Both count characters where words are written without spaces: stop words are then the longest matches from left
  // to right, and a word of another script counts as `characters_per_word` characters.

  BlockColumns() : offsets{0}, pages{0} {}
  std::size_t size() const noexcept { return words.size(); }
};

// Running words of a block in a language whose words are written without spaces: its characters are counted, words
// of other scripts and numbers beside them (2.7.2 counts words; the thesis leaves such languages out).
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

// Gathers a page's blocks from its elements and text in document order. White space is folded to single
// spaces; control characters, soft hyphens, byte order marks and non-characters are left out.
class BlockBuilder {
 public:
  // All must outlive the builder. Blocks are appended to `columns`, their structure to `structure` unless it is null.
  // `characters_per_word` (> 0) is the mean length of a word in a language that is written without spaces; 0: words
  // are what white space separates.
  BlockBuilder(const WordSet& stop_words, BlockColumns& columns, double characters_per_word = 0,
               StructureBuilder* structure = nullptr);

  void open(Element element);
  void close(Element element);
  void text(std::string_view utf8);  // any bytes; what is not UTF-8 becomes U+FFFD
  void end_page();

 private:
  void start();
  void flush();
  void end_piece();
  void characters(std::string_view bytes);
  void count_alphabetic(std::string_view block, std::uint32_t& alphabetic, std::uint32_t& stop) const;
  void count_sequences(std::string_view block, std::uint32_t& alphabetic, std::uint32_t& stop) const;

  const WordSet& stop_words_;
  BlockColumns& columns_;
  const double characters_per_word_;
  WordCounts counts_;
  StructureBuilder* structure_;
  std::vector<std::uint8_t> tags_;
  std::uint32_t links_ = 0, headings_ = 0, selects_ = 0, breaks_ = 0;
  std::size_t block_start_ = 0;
  std::uint32_t words_ = 0, link_words_ = 0;
  std::uint8_t tag_ = 0, flags_ = 0;
  bool inside_word_ = false, word_linked_ = false;
};

}  // namespace corpusprep
