// Fuzz target whose finding is time: a page that takes far longer per byte than others, or longer per byte the longer
// it is. The page goes through the bounds on markup, the parser (if libxml2 was found) and segmentation, as in
// corpusprep/pages/html.py. What is compared is the CPU time of this thread, so other load does not matter much.
#ifdef WITH_LIBXML2
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>

#include "pages/page_walk.hpp"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>

#include "demand.hpp"
#include "pages/markup.hpp"

namespace {

// Each byte of the input stands for a piece of a page; those from the table's size on for a character of that code. "#"
// becomes the number of the repetition, so that names differ.
constexpr std::string_view kPieces[] = {
    "<",           "</",       ">",       "/>",         "=",        "\"",         "'",
    " ",           "/",        "#",       "&",          "&amp;",    "&#65;",      "&notit",
    "<!--",        "-->",      "--!>",    "<!",         "<?",       "<!doctype ", "<x ",
    "<a>",         "</a>",     "<b>",     "</b>",       "<i>",      "</i>",       "<p>",
    "</p>",        "<div>",    "</div>",  "<table>",    "</table>", "<tr>",       "<td>",
    "</td>",       "<ul>",     "<li>",    "</ul>",      "<font>",   "<form>",     "<select>",
    "<option>",    "<body>",   "<html>",  "</html>",    "<head>",   "</head>",    "<title>",
    "</title>",    "<meta ",   "<br>",    "<hr>",       "<script>", "</script",   "<style>",
    "</style",     "<iframe>", "</body>", "<textarea>", "<xmp>",    "<svg>",      "<noscript>",
    "<plaintext>", "<w#>",     "</w#>",   " w#",        " w#=a",    " w#='>'",    " id=w#",
    "<o:p>",       "\r",       "\n",      "word ",      "word",     "\xC3\xA9",   "\xE6\xBC\xA2",
    "<![CDATA[",   "]]>",      "-"};
constexpr std::size_t kPieceCount = std::size(kPieces);

constexpr std::size_t kUsual = 16 << 10, kLong = 128 << 10;  // bytes of a page
// Nanoseconds per byte, in a build with sanitizers. Ordinary markup takes 50 to 800.
constexpr double kOrdinary = 1200, kMost = 6000;
constexpr double kMostGrowth = 3;

std::string pieces(const std::uint8_t* data, std::size_t size, std::size_t number) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] >= 0x80) text += static_cast<char>(0xC0 | (data[i] >> 6));  // pages are valid UTF-8
    if (data[i] >= kPieceCount) {
      text += static_cast<char>(data[i] >= 0x80 ? 0x80 | (data[i] & 0x3F) : data[i]);
      continue;
    }
    for (const char c : kPieces[data[i]]) {
      if (c == '#') {
        text += std::to_string(number);
      } else {
        text += c;
      }
    }
  }
  return text;
}

// The first byte says how many bytes are the beginning of the page. The others are repeated.
std::string page_of(const std::uint8_t* data, std::size_t size, std::size_t bytes) {
  const std::size_t beginning = data[0] % (size - 1);  // something is left to repeat
  const auto* unit = data + 1 + beginning;
  const std::size_t unit_size = size - 1 - beginning;
  std::string page = pieces(data + 1, beginning, 0);
  for (std::size_t i = 1; page.size() < bytes; ++i) page += pieces(unit, unit_size, i);
  return page;
}

#ifdef WITH_LIBXML2
// Returns the tree, or null if the parser gave up.
xmlDocPtr tree(const std::string& page, bool huge) {
  xmlResetLastError();
  htmlParserCtxtPtr parser = htmlNewParserCtxt();
  parser->sax->comment = nullptr;
  parser->sax->processingInstruction = nullptr;
  const int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                      HTML_PARSE_COMPACT | (huge ? static_cast<int>(XML_PARSE_HUGE) : 0);
  xmlDocPtr document =
      htmlCtxtReadMemory(parser, page.data(), static_cast<int>(page.size()), nullptr, "utf-8", options);
  htmlFreeParserCtxt(parser);
  const auto* error = xmlGetLastError();
  if (document && error && error->level == XML_ERR_FATAL) {
    xmlFreeDoc(document);
    document = nullptr;
  }
  return document;
}
#endif

void process(const std::string& page) {
  const bool costly = corpusprep::costly_markup(page);
#ifdef WITH_LIBXML2
  static const corpusprep::WordSet stop_words({"a", "the", "of", "word"});
  xmlDocPtr document = costly ? nullptr : tree(page, false);
  if (!document) document = tree(corpusprep::plain_markup(page), true);
  if (const xmlNode* root = document ? xmlDocGetRootElement(document) : nullptr) {
    corpusprep::BlockColumns blocks;
    corpusprep::StructureColumns structure;
    corpusprep::StructureBuilder structure_builder(structure);
    corpusprep::BlockBuilder builder(stop_words, blocks, page.size() % 2 != 0 ? 1.6 : 0, &structure_builder);
    corpusprep::walk_page(root, builder);
  }
  if (document) xmlFreeDoc(document);
#else
  demand(costly || !corpusprep::plain_markup(page).empty() || page.empty());
#endif
}

// Returns the least CPU time of a few runs, in nanoseconds per byte.
double time_per_byte(const std::string& page, int runs) {
  double least = 1e300;
  for (int i = 0; i < runs; ++i) {
    timespec before{}, after{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    process(page);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    const double seconds =
        static_cast<double>(after.tv_sec - before.tv_sec) + static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-9;
    least = std::min(least, seconds * 1e9 / static_cast<double>(page.size() + 1));
  }
  return least;
}

}  // namespace

// The parser allocates every node: with AddressSanitizer's usual care, most of the time would be its own.
extern "C" const char* __asan_default_options() { return "malloc_context_size=0:quarantine_size_mb=1"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 256) return 0;
  if (time_per_byte(page_of(data, size, kUsual), 1) < kOrdinary) return 0;
  const double usual = time_per_byte(page_of(data, size, kUsual), 5);
  if (usual < kOrdinary) return 0;
  const double longer = time_per_byte(page_of(data, size, kLong), 5);
  const bool holds = longer < kMost && longer < kMostGrowth * usual;
  if (!holds) {
    std::fprintf(stderr, "%.0f ns per byte at %zu bytes, %.0f at %zu\n", usual, kUsual, longer, kLong);
    const auto page = page_of(data, size, 200);
    std::fprintf(stderr, "%s\n", page.substr(0, 400).c_str());
  }
  demand(holds);
  return 0;
}
