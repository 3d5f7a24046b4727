// Blocks of a page and their 37 features as texrex makes them from the page's markup (Schäfer 2016, section 2).
//
// The page is read as text, not as a tree. A block ends at each start or end tag of article, blockquote, div, h1 to h6,
// li, p, section and td. Text is what stands between <body> and </body>, outside the elements that are left out.
// Definitions are those of texrex's sources (TrHtmlStripper, TrSecondPass, TrDeboilerplater), with these differences:
//   - lengths of markup are in characters, not in bytes of the page's own encoding;
//   - texts are measured as they are; texrex replaces addresses in them by a word, and removes remains of tags, first;
//   - the name of a tag ends at any white space and at "/", not only at a space;
//   - what is in <script> and <style> is read up to their end tags, and not searched for tags;
//   - <svg>, <template> and <title> are left out, too;
//   - a page without <body> begins behind </head>, or at its start, and a second <body> does not end the page;
//   - if a quotation mark in a tag is never closed, the tag ends at the next ">" in place of the page's end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pages/segmentation.hpp"
#include "pages/texrex_text.hpp"

namespace corpusprep {

inline constexpr std::size_t kTexrexFeatures = 37;
// Feature values have 14 binary places; they are cut to -2 to 2.
inline constexpr int kTexrexPlaces = 14;

// Named references of HTML, as Python's html.entities.html5 has them: "amp;", "amp" -> their characters as UTF-8.
using References = std::unordered_map<std::string, std::string>;

// Reads pages one after another. `builder` writes to `columns`; both must outlive the reader.
class TexrexReader {
 public:
  // `forms`: whether text in <form> is text of the page; texrex leaves it out.
  TexrexReader(BlockBuilder& builder, const BlockColumns& columns, const References& references, bool forms)
      : builder_(builder), columns_(columns), references_(references), forms_(forms) {}

  // Appends the blocks of a page, valid UTF-8, and ends it. Time is linear in its length.
  void add(std::string_view page);

  // One row of kTexrexFeatures per block, in the order of the paper's published vectors.
  const std::vector<std::int16_t>& features() const noexcept { return features_; }
  // The text of the page's <title>, with its references replaced.
  const std::string& title() const noexcept { return title_; }

 private:
  enum Container : std::uint8_t { kUnknown, kArticle, kSection, kDiv, kP, kHeading, kBlockquote, kTd, kLi };
  enum Doctype : std::uint8_t { kUndeclared, kXhtml, kHtml4, kHtml5 };

  // What stands between two tags that end blocks, if it has text.
  struct Div {
    std::size_t raw_start = 0;
    std::int64_t raw = 0;  // characters with markup, and with the tag that ends it, but for its ">"
    std::uint32_t open = 0, close = 0, anchors = 0, skipped = 0;
    Container container = kUnknown;
    bool after_end_tag = false;
    bool valid = false;  // it has visible text, and is a block
  };

  struct Tag {
    std::size_t start = 0, end = 0;  // of the whole tag
    std::string_view name;           // lower case, with its "/"; "!--" for comments, "![cdata[" for CDATA
  };

  // A number of the page's features that windows need: a share of markup, and whether the block has one.
  struct Share {
    double value = 0;
    bool valid = false;
  };

  bool next_tag(std::size_t from, Tag& tag);
  std::size_t tag_end(std::size_t from);
  std::size_t find_end_tag(std::string_view name, std::size_t from) const;
  std::size_t body_start();
  void read_body(std::size_t from);
  void put_text(std::string_view raw);
  void put_references(std::string_view raw, std::string& out) const;
  std::size_t reference(std::string_view raw, std::string& out) const;
  void follow_links(std::string_view name);
  void count_tag(std::string_view name);
  void new_div(std::string_view name, std::size_t at);
  bool left_out(std::string_view name) const;
  std::int64_t characters(std::size_t from, std::size_t to) const;
  void measure(std::size_t first_block);
  void put(double value);
  void put_text_features(const TexrexTextCounts& counts, const Div& div, double markup);
  static Share window(const std::vector<Share>& shares, std::size_t at, double& wide);

  BlockBuilder& builder_;
  const BlockColumns& columns_;
  const References& references_;
  const bool forms_;
  std::vector<std::int16_t> features_;
  std::string title_, name_, decoded_;
  TexrexText text_;

  // Of the current page.
  std::string_view page_;
  std::vector<Div> divs_;
  Div div_;
  Element container_;
  std::uint32_t skipped_ = 0;
  Doctype doctype_ = kUndeclared;
  bool has_text_ = false, in_container_ = false, linked_ = false, quotes_ = true;
};

}  // namespace corpusprep
