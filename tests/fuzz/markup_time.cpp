// Fuzz target whose finding is time: a page that takes far longer per byte than others, or longer per byte the longer
// it is. The page goes through the bounds on markup, the parser (if libxml2 was found) and segmentation, as in
// corpusprep/pages/html.py. What is compared is the CPU time of this thread, so other load does not matter much.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>

#include "demand.hpp"
#include "markup_pieces.hpp"
#include "pages/markup.hpp"
#ifdef WITH_LIBXML2
#include "pages/page_walk.hpp"
#endif

namespace {

constexpr std::size_t kUsual = 16 << 10, kLong = 128 << 10;  // bytes of a page
// Nanoseconds per byte, in a build with sanitizers. Ordinary markup takes 50 to 800.
constexpr double kOrdinary = 1200, kMost = 6000;
constexpr double kMostGrowth = 3;

// The first byte says how many bytes are the beginning of the page. The others are repeated.
std::string page_of(const std::uint8_t* data, std::size_t size, std::size_t bytes) {
  const std::size_t beginning = data[0] % (size - 1);  // something is left to repeat
  const auto* unit = data + 1 + beginning;
  const std::size_t unit_size = size - 1 - beginning;
  std::string page = pieces(data + 1, beginning, 0);
  for (std::size_t i = 1; page.size() < bytes; ++i) page += pieces(unit, unit_size, i);
  return page;
}

void process(const std::string& whole) {
  std::string page(whole.size(), '\0');
  page.resize(corpusprep::lean_markup(whole, page.data()));
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
    corpusprep::BlockColumns unseen;
    corpusprep::HiddenText hidden(stop_words, unseen, page.size() % 2 != 0 ? 1.6 : 0);
    corpusprep::walk_page(root, builder, hidden);
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
