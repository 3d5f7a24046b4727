// What a page says about itself: the marks in its tree that name dates, authors, licences and rights.
#pragma once

#include <libxml/tree.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace corpusprep {

// Where a mark is from.
enum class MarkKind : std::uint8_t {
  kMeta,      // <meta>: name, property, itemprop or http-equiv; content
  kLink,      // <link> or <a> with rel canonical or license; href
  kTime,      // <time datetime>: its class, after "pubdate" if it has that attribute; datetime
  kLanguage,  // <html lang>
  kScript,    // <script type="application/ld+json">: its text
  kAuthor,    // text of an element that names an author: itemprop, rel, or class; text
  kItemDate,  // element with itemprop datePublished or dateModified: content or datetime
};

struct Mark {
  MarkKind kind;
  std::string key;    // in lower case
  std::string value;  // UTF-8, as it stands in the tree
};

// The most that is taken of a page: a page at worst loses marks.
constexpr std::size_t kMostMarks = 200;
constexpr std::size_t kLongestValue = 4096;
constexpr std::size_t kLongestScript = 1 << 18;  // longer ones are left out: cut JSON cannot be read
constexpr std::size_t kScriptBytes = 1 << 19;    // of a page

// Returns the marks of the tree below `root` in document order. Iterative: the depth of the tree takes no stack.
std::vector<Mark> page_marks(const xmlNode* root);

}  // namespace corpusprep
