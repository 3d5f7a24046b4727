#include "pages/page_metadata.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "pages/bytes.hpp"

namespace corpusprep {

namespace {

// Names of <meta> that are taken, sorted.
constexpr std::string_view kMetaNames[] = {
    "article.created",
    "article.published",
    "article.updated",
    "article:author",
    "article:modified",
    "article:modified_time",
    "article:published",
    "article:published_time",
    "article_author",
    "article_date_original",
    "author",
    "byl",
    "citation_author",
    "citation_date",
    "citation_online_date",
    "citation_publication_date",
    "citation_title",
    "content-language",
    "copyright",
    "creator",
    "cxenseparse:recs:articlefirstimportdate",
    "cxenseparse:recs:publishtime",
    "date",
    "date.available",
    "date.created",
    "date.issued",
    "date.modified",
    "date_published",
    "datecreated",
    "datemodified",
    "datepublished",
    "dc.creator",
    "dc.date",
    "dc.date.created",
    "dc.date.issued",
    "dc.date.modified",
    "dc.language",
    "dc.publisher",
    "dc.rights",
    "dc.title",
    "dc.type",
    "dcsext.author",
    "dcterms.available",
    "dcterms.created",
    "dcterms.creator",
    "dcterms.date",
    "dcterms.issued",
    "dcterms.language",
    "dcterms.license",
    "dcterms.modified",
    "dcterms.publisher",
    "dcterms.rights",
    "dcterms.title",
    "dcterms.type",
    "headline",
    "inlanguage",
    "language",
    "last-modified",
    "lastmod",
    "license",
    "modified",
    "modified_time",
    "nyt_byline",
    "og:article:author",
    "og:article:modified_time",
    "og:article:published_time",
    "og:author",
    "og:locale",
    "og:pubdate",
    "og:published_time",
    "og:regdate",
    "og:site_name",
    "og:title",
    "og:type",
    "og:updated_time",
    "og:url",
    "originalpublicationdate",
    "parsely-author",
    "parsely-link",
    "parsely-pub-date",
    "parsely-title",
    "parsely-type",
    "pubdate",
    "publication_date",
    "publicationdate",
    "publish-date",
    "publish_date",
    "publishdate",
    "published_time",
    "publisher",
    "revision_date",
    "rights",
    "robots",
    "sailthru.author",
    "sailthru.date",
    "sailthru.title",
    "shareaholic:article_author_name",
    "shareaholic:article_modified_time",
    "shareaholic:article_published_time",
    "tdm-reservation",
    "timestamp",
    "title",
    "twitter:title",
};
static_assert(std::ranges::is_sorted(kMetaNames));

std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), ascii_lower);
  return result;
}

std::string_view view(const xmlChar* text) { return text ? reinterpret_cast<const char*>(text) : ""; }

// Cuts at a border of characters.
std::string_view cut(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string_view value_of(const xmlAttr* attribute) {
  return attribute->children ? view(attribute->children->content) : std::string_view();
}

std::string_view stripped(std::string_view text) {
  const std::size_t start = skip_space(text, 0);
  std::size_t end = text.size();
  while (end > start && markup_space(text[end - 1])) --end;
  return text.substr(start, end - start);
}

// Attributes that say something about a page.
enum Known : std::uint8_t {
  kName,
  kProperty,
  kHttpEquiv,
  kItemprop,
  kContent,
  kHref,
  kRel,
  kDatetime,
  kLang,
  kXmlLang,
  kType,
  kClass,
  kPubdate,
  kKnown,
};
constexpr std::array<std::string_view, kKnown> kAttributeNames = {
    "name",     "property", "http-equiv", "itemprop", "content", "href",    "rel",
    "datetime", "lang",     "xml:lang",   "type",     "class",   "pubdate",
};

// Names come from the dictionary of the document: equal names have equal pointers. As for elements (page_walk.cpp), a
// small direct-mapped cache saves comparisons; it lives as long as one walk.
class AttributeCache {
 public:
  std::uint8_t find(const xmlChar* name) {
    auto& slot = slots_[(reinterpret_cast<std::uintptr_t>(name) >> 3) & (slots_.size() - 1)];
    if (slot.name != name) {
      const auto* const place = std::ranges::find(kAttributeNames, view(name));
      slot = {name, static_cast<std::uint8_t>(place - kAttributeNames.begin())};
    }
    return slot.known;
  }

 private:
  struct Slot {
    const xmlChar* name = nullptr;
    std::uint8_t known = kKnown;
  };
  std::array<Slot, 128> slots_{};
};

class Attributes {
 public:
  Attributes(const xmlNode& node, AttributeCache& cache) {
    for (const xmlAttr* attribute = node.properties; attribute; attribute = attribute->next) {
      const std::uint8_t known = cache.find(attribute->name);
      if (known < kKnown && !found_[known]) {
        found_[known] = attribute;
        any_ = true;
      }
    }
  }

  bool any() const { return any_; }
  bool has(Known known) const { return found_[known] != nullptr; }
  std::string_view operator[](Known known) const {
    return found_[known] ? value_of(found_[known]) : std::string_view();
  }

 private:
  std::array<const xmlAttr*, kKnown> found_{};
  bool any_ = false;
};

// Returns whether one of the words in `text` is `word`, without regard to case.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t start = skip_space(text, 0); start < text.size();) {
    std::size_t end = start;
    while (end < text.size() && !markup_space(text[end])) ++end;
    const std::string_view found = text.substr(start, end - start);
    if (std::ranges::equal(found, word, [](char left, char right) { return ascii_lower(left) == right; })) {
      return true;
    }
    start = skip_space(text, end);
  }
  return false;
}

// Classes of elements whose text names the author, sorted.
constexpr std::string_view kAuthorClasses[] = {
    "article-author", "article-author-name",
    "article-byline", "article__author",
    "author",         "author-link",
    "author-name",    "author__name",
    "authorname",     "autor",
    "byline",         "byline-author",
    "byline-name",    "byline__author",
    "byline__name",   "c-byline__author",
    "entry-author",   "fn",
    "p-author",       "post-author",
    "posted-by",      "vcard",
};
static_assert(std::ranges::is_sorted(kAuthorClasses));

// For each first letter, a bit for each length of the classes above: most words need no further look.
constexpr auto kAuthorLengths = [] {
  std::array<std::uint32_t, 256> lengths{};
  for (const std::string_view name : kAuthorClasses) {
    lengths[static_cast<unsigned char>(name[0])] |= 1U << name.size();
    lengths[static_cast<unsigned char>(name[0] & ~0x20)] |= 1U << name.size();
  }
  return lengths;
}();

// Returns whether a class names an author.
bool author_class(std::string_view classes) {
  for (std::size_t start = skip_space(classes, 0); start < classes.size();) {
    std::size_t end = start;
    while (end < classes.size() && !markup_space(classes[end])) ++end;
    const std::size_t size = end - start;
    if (size < 32 && (kAuthorLengths[static_cast<unsigned char>(classes[start])] >> size & 1U)) {
      const std::string word = lowered(classes.substr(start, size));
      if (std::ranges::binary_search(kAuthorClasses, std::string_view(word))) return true;
    }
    start = skip_space(classes, end);
  }
  return false;
}

bool skips(std::string_view name) { return name == "script" || name == "style" || name == "svg" || name == "template"; }

constexpr std::size_t kWidest = 4;  // bytes of a character

// Returns the text inside an element; more than `longest` bytes of it if it is longer. White space as it stands. Takes
// the nodes that it visits from `nodes`; where none are left, the text counts as longer.
std::string text_inside(const xmlNode* element, std::size_t longest, std::size_t& nodes) {
  std::string text;
  const xmlNode* node = element->children;
  while (node && text.size() <= longest) {
    if (nodes == 0) return text.assign(longest + 1, ' ');
    --nodes;
    const bool is_text = node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
    if (is_text && node->content) text += cut(view(node->content), longest + kWidest - text.size());
    if (node->type == XML_ELEMENT_NODE && node->children && !skips(view(node->name))) {
      text += ' ';
      node = node->children;
      continue;
    }
    while (node != element && !node->next) node = node->parent;
    node = node == element ? nullptr : node->next;
  }
  return text;
}

// A byline is short.
constexpr std::size_t kLongestAuthor = 200;
constexpr std::size_t kLongestKey = 80;
constexpr std::size_t kMostAuthors = 8;
constexpr std::size_t kAuthorNodes = 100'000;  // of a page: elements that name an author can be in each other
constexpr std::size_t kMostTimes = 24;

class Collector {
 public:
  void element(const xmlNode& node) {
    if (!node.properties) return;
    const Attributes found(node, cache_);
    if (!found.any()) return;
    const std::string_view name = view(node.name);
    if (name == "meta") {
      meta(found);
    } else if (name == "link") {
      link(found);
    } else if (name == "html") {
      add(MarkKind::kLanguage, "lang", found[found.has(kLang) ? kLang : kXmlLang]);
    } else if (name == "script") {
      script(node, found);
    } else {
      other(node, name, found);
    }
  }

  std::vector<Mark> marks;

 private:
  void add(MarkKind kind, std::string_view key, std::string_view value) {
    value = stripped(value);
    if (value.empty() || marks.size() >= kMostMarks) return;
    marks.push_back({kind, lowered(cut(key, kLongestKey)), std::string(cut(value, kLongestValue))});
  }

  void meta(const Attributes& found) {
    if (!found.has(kContent)) return;
    for (const Known place : {kProperty, kName, kItemprop, kHttpEquiv}) {
      const std::string_view name = stripped(found[place]);
      if (name.empty() || name.size() > kLongestKey) continue;
      const std::string known = lowered(name);
      if (std::ranges::binary_search(kMetaNames, std::string_view(known))) {
        add(MarkKind::kMeta, known, found[kContent]);
        return;
      }
    }
  }

  void link(const Attributes& found) {
    for (const std::string_view rel : {"canonical", "license"}) {
      if (has_word(found[kRel], rel)) add(MarkKind::kLink, rel, found[kHref]);
    }
  }

  void script(const xmlNode& node, const Attributes& found) {
    constexpr std::string_view kJson = "application/ld+json";
    const std::string type = lowered(stripped(cut(found[kType], kLongestKey)).substr(0, kJson.size()));
    if (type != kJson || !node.children || marks.size() >= kMostMarks) return;
    std::size_t nodes = kLongestScript;
    std::string text = text_inside(&node, kLongestScript, nodes);
    if (text.size() > kLongestScript || script_bytes_ + text.size() > kScriptBytes) return;
    script_bytes_ += text.size();
    marks.push_back({MarkKind::kScript, "", std::move(text)});
  }

  void other(const xmlNode& node, std::string_view name, const Attributes& found) {
    if (found.has(kRel) && name == "a" && has_word(found[kRel], "license")) {
      add(MarkKind::kLink, "license", found[kHref]);
    }
    if (found.has(kItemprop)) {
      for (const std::string_view date : {"datepublished", "datemodified"}) {
        if (has_word(found[kItemprop], date)) {
          add(MarkKind::kItemDate, date, found[found.has(kContent) ? kContent : kDatetime]);
        }
      }
    }
    if (name == "time") {
      if (found.has(kDatetime) && times_++ < kMostTimes) {
        std::string key(found.has(kPubdate) ? "pubdate " : "");
        key += found[kClass];
        add(MarkKind::kTime, key, found[kDatetime]);
      }
      return;
    }
    const bool marked = has_word(found[kItemprop], "author") || has_word(found[kRel], "author");
    if (authors_ < kMostAuthors && (marked || author_class(found[kClass]))) {
      const std::string text = text_inside(&node, kLongestAuthor, author_nodes_);
      if (text.size() > kLongestAuthor || stripped(text).empty()) return;
      ++authors_;
      add(MarkKind::kAuthor, marked ? "author" : "class", text);
    }
  }

  AttributeCache cache_;
  std::size_t script_bytes_ = 0;
  std::size_t authors_ = 0;
  std::size_t author_nodes_ = kAuthorNodes;
  std::size_t times_ = 0;
};

}  // namespace

std::vector<Mark> page_marks(const xmlNode* root) {
  Collector collector;
  for (const xmlNode* node = root; node;) {
    if (node->type == XML_ELEMENT_NODE) {
      collector.element(*node);
      if (node->children && !skips(view(node->name))) {
        node = node->children;
        continue;
      }
    }
    while (node != root && !node->next) node = node->parent;
    node = node == root ? nullptr : node->next;
  }
  return std::move(collector.marks);
}

}  // namespace corpusprep
