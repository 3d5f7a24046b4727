// Fuzz target: the classes of the characters of ASCII are those of each character, whatever instructions find them.
#include "text/ascii_classes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "demand.hpp"

namespace {

using corpusprep::AsciiClasses;

AsciiClasses plain_classes(std::string_view text) {
  AsciiClasses found;
  while (found.size < std::min(text.size(), corpusprep::kMostClasses)) {
    const char c = text[found.size];
    if (static_cast<unsigned char>(c) >= 0x80) break;
    const std::uint64_t bit = std::uint64_t{1} << found.size++;
    const bool capital = c >= 'A' && c <= 'Z';
    if (c == ' ') found.spaces |= bit;
    if (capital || (c >= 'a' && c <= 'z')) found.letters |= bit;
    if (capital) found.capitals |= bit;
    if (c >= '0' && c <= '9') found.digits |= bit;
    if (c == ',' || c == ';') found.commas |= bit;
    if (c == '.' || c == '!' || c == '?') found.ends |= bit;
  }
  return found;
}

bool same(const AsciiClasses& a, const AsciiClasses& b) {
  return a.size == b.size && a.spaces == b.spaces && a.letters == b.letters && a.capitals == b.capitals &&
         a.digits == b.digits && a.commas == b.commas && a.ends == b.ends;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t before = std::min<std::size_t>(data[0] % 64U, size - 1), most = data[1] % 64U + 1U;
  const auto text = all.substr(before);
  const auto expected = plain_classes(text);
  const auto found = corpusprep::ascii_classes(text.data(), text.size(), before);
  demand(same(found, expected));
#if defined(__x86_64__)
  if (corpusprep::has_wide_classes()) {
    demand(same(corpusprep::wide_ascii_classes(text.data(), text.size(), before), expected));
  }
#endif
  for (std::size_t start = 0; start < found.size; ++start) {
    demand(same(found.part(start, most), plain_classes(text.substr(start, std::min(most, found.size - start)))));
  }
  return 0;
}
