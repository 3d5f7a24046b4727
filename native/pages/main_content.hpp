// Which scored blocks of a page are its main content: a threshold, and the kinds of blocks to keep.
//
// The rules and their numbers were chosen on gold pages (studies/notes/content.md). Scores and shares are per mille.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace corpusprep {

// The blocks of one page, in columns of one length.
struct ScoredBlocks {
  std::span<const std::uint16_t> scores;
  std::span<const std::uint8_t> kinds;  // of kBlockKinds
  std::span<const std::uint32_t> words;
  std::span<const double> link_density;
};

struct WantedContent {
  std::int64_t threshold;  // lowest score, of the best score of the page
  bool comments;
  bool title;  // with any score, on pages with main content
  bool tables;
  bool code;
};

enum class ContentVerdict : std::uint8_t { kept, score, kind };

// Writes a verdict per block. `verdicts` has the length of the columns.
void find_main_content(const ScoredBlocks& page, const WantedContent& wanted, std::span<ContentVerdict> verdicts);

}  // namespace corpusprep
