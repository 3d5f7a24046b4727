#include "pages/repeated_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace corpusprep {

void mark_repeated(const RepeatedColumns& columns, std::size_t blocks, std::uint8_t* repeated) {
  std::fill_n(repeated, blocks, std::uint8_t{0});
  std::vector<std::pair<std::string_view, std::size_t>> running;
  std::uint64_t all = 0, again = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint32_t words = columns.words[i];
    if (words < kWordsOfRepeated || 5 * std::uint64_t{columns.link_words[i]} >= 2 * std::uint64_t{words}) continue;
    const auto size = static_cast<std::size_t>(columns.offsets[i + 1] - columns.offsets[i]);
    running.emplace_back(std::string_view(columns.text + columns.offsets[i], size), i);
    all += words;
  }
  // By size first: few texts are compared.
  std::ranges::sort(running, [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() < b.first.size() : a < b;
  });
  for (std::size_t k = 1; k < running.size(); ++k) {
    if (running[k].first != running[k - 1].first) continue;
    repeated[running[k].second] = 1;
    again += columns.words[running[k].second];
  }
  if (kOneInRepeated * again <= all) std::fill_n(repeated, blocks, std::uint8_t{0});
}

}  // namespace corpusprep
