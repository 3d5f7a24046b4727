// Fuzz target: the parser makes the same tree of lean markup as of joined markup, but for what no kernel reads. Without
// libxml2, only that neither is longer than the page.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "demand.hpp"
#include "markup_pieces.hpp"
#include "pages/markup.hpp"

namespace {

#ifdef WITH_LIBXML2
std::string_view view(const xmlChar* text) { return text ? reinterpret_cast<const char*>(text) : ""; }

// Writes what kernels read of a tree, one line per tag and text.
std::string written(const xmlNode* root) {
  static const std::set<std::string_view> read = {"class",  "id",      "itemprop", "itemtype",   "role",
                                                  "hidden", "content", "datetime", "aria-hidden"};
  std::string lines;
  for (const xmlNode* node = root; node;) {
    const auto name = view(node->name);
    lines.append(name).append(" ").append(node->type == XML_ELEMENT_NODE ? "" : view(node->content));
    for (const xmlAttr* one = node->type == XML_ELEMENT_NODE ? node->properties : nullptr; one; one = one->next) {
      const bool whole = name == "html" || name == "meta" || name == "time" || name == "template";
      const auto value = one->children ? view(one->children->content) : std::string_view();
      const bool hides = view(one->name) == "style" && value.find("none") != std::string_view::npos;
      if (!whole && !hides && !read.contains(view(one->name))) continue;
      lines.append(" ").append(view(one->name)).append("=").append(value);
    }
    lines += '\n';
    const bool code = name == "script" || name == "style";
    if (node->type == XML_ELEMENT_NODE && node->children && !code) {
      node = node->children;
      continue;
    }
    while (node != root && !node->next) {
      lines += "/\n";
      node = node->parent;
    }
    node = node == root ? nullptr : node->next;
  }
  return lines;
}

std::string written(const std::string& page) {
  xmlDocPtr document = tree(page, true);
  const xmlNode* root = document ? xmlDocGetRootElement(document) : nullptr;
  std::string lines = root ? written(root) : "";
  if (document) xmlFreeDoc(document);
  return lines;
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 512) return 0;
  const std::string page = pieces(data, size, 1);
  std::string lean(page.size(), '\0');
  const std::size_t length = corpusprep::lean_markup(page, lean.data());
  demand(length <= page.size());
  lean.resize(length);
  std::string joined(page.size(), '\0');
  const std::size_t joined_length = corpusprep::joined_markup(page, joined.data());
  demand(joined_length <= page.size());
  joined.resize(joined_length);
#ifdef WITH_LIBXML2
  if (lean == page) return 0;
  const bool same = written(lean) == written(joined);
  if (!same) std::fprintf(stderr, "%s\n%s\n", page.c_str(), lean.c_str());
  demand(same);
#endif
  return 0;
}
