// Which elements a page shows.
#pragma once

#include <libxml/tree.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "pages/element.hpp"

namespace corpusprep {

// Classes by which style sheets in wide use hide an element: Bootstrap, Tailwind, Foundation, Bulma, WordPress, Drupal.
inline constexpr std::array<std::string_view, 9> kHidingClasses = {
    "hidden",  "hide",           "d-none",          "is-hidden",         "invisible",
    "sr-only", "visuallyhidden", "visually-hidden", "screen-reader-text"};
// Classes of boxes that are folded up until a reader opens them.
inline constexpr std::array<std::string_view, 2> kFoldingClasses = {"collapsed", "mw-collapsed"};
// Classes of links to edit a section, beside headings of wikis.
inline constexpr std::array<std::string_view, 3> kEditClasses = {"mw-editsection", "mw-editsection-like",
                                                                 "editsection"};

// Why the text in an element is not shown.
enum class Unseen : std::uint8_t {
  no,
  hidden,     // by an attribute, a class, a style, or because it is only shown in place of the element
  decorated,  // shown, but no text for who hears the page (aria-hidden)
  markup,     // markup that the parser takes for text
  noscript,   // shown where scripts do not run
  reading,    // how the characters before are read (ruby)
};

// Returns whether a <template> is the root of a shadow tree: browsers show what is in it in the element around it.
bool is_shadow_root(const xmlNode& fragment);

// Finds out which elements are not shown. Names and classes are kept in caches: it is for one page.
class ShownElements {
 public:
  // `in_heading`: the element is in a heading. `below`: it is neither the root nor <body>, which scripts show.
  Unseen look(const xmlNode& node, const Element& element, bool in_heading, bool below);

 private:
  struct AttributeName {
    const xmlChar* name = nullptr;
    std::uint8_t kind = 0;
  };
  struct Class {
    std::string_view value;
    std::uint8_t bits = 0;
  };
  std::uint8_t attribute_kind(const xmlChar* name);
  std::uint8_t class_bits(std::string_view value);

  std::array<AttributeName, 64> names_{};
  std::array<Class, 64> classes_{};  // pages repeat few of them
};

}  // namespace corpusprep
