#include "languages/page_words.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace corpusprep {

namespace {

bool begins_character(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

// Removes the last character if it is cut.
void drop_cut(std::string& text) {
  std::size_t start = text.size();
  while (start > 0 && text.size() - start < 4 && !begins_character(text[start - 1])) --start;
  if (start == 0) return;
  const auto lead = static_cast<unsigned char>(text[--start]);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - start < length) text.resize(start);
}

// Writes the beginning of a page's blocks to `sample`.
void take(const PageBlocks& blocks, std::size_t page, bool all, std::size_t most_bytes, std::string& sample) {
  sample.clear();
  bool first = true;
  for (auto block = blocks.pages[page]; block < blocks.pages[page + 1]; ++block) {
    const auto place = static_cast<std::size_t>(block);
    if (!all && blocks.preferred[place] == 0) continue;
    if (!first) sample += '\n';
    first = false;
    const auto start = static_cast<std::size_t>(blocks.offsets[place]);
    const auto size = static_cast<std::size_t>(blocks.offsets[place + 1]) - start;
    sample += blocks.text.substr(start, std::min(size, most_bytes));
    if (sample.size() >= most_bytes) break;
  }
  if (sample.size() < most_bytes) return;
  sample.resize(most_bytes);
  drop_cut(sample);
}

}  // namespace

PageWords page_words(const ListedWords& lists, const PageBlocks& blocks, std::size_t most_bytes,
                     std::size_t least_characters) {
  const std::size_t pages = blocks.pages.empty() ? 0 : blocks.pages.size() - 1;
  PageWords found{std::vector<std::uint32_t>(pages * lists.lists()), std::vector<std::uint8_t>(pages)};
  std::string sample;
  for (std::size_t page = 0; page < pages; ++page) {
    take(blocks, page, false, most_bytes, sample);
    if (std::cmp_less(std::ranges::count_if(sample, begins_character), least_characters))
      take(blocks, page, true, most_bytes, sample);
    const std::span<std::uint32_t> counts(found.counts.data() + page * lists.lists(), lists.lists());
    found.without_spaces[page] = lists.add(sample, counts);
  }
  return found;
}

}  // namespace corpusprep
