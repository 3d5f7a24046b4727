#include "pages/main_content.hpp"

#include <algorithm>
#include <vector>

#include "pages/features.hpp"

namespace corpusprep {
namespace {

constexpr std::int64_t kTop = 1000;
// Blocks with a lower score are not kept as the best of a poor page, unless the threshold is lower.
constexpr std::int64_t kLeastScore = 250;
// On a page that is nearly all text, the lowest score is that share of the threshold, and at least that score. It is
// nearly all text if blocks with such scores have that share of its words. On old pages and on documentation,
// headings, lists and code have low scores, and menus have lower ones.
constexpr std::int64_t kOfThreshold = 400, kLeastOfAll = 200, kNearlyAll = 900;
// Blocks with a higher link density need the usual score: they may be the menu of a small page.
constexpr double kMostLinked = 0.5;
// If the block like the title has that share of the main content behind it, what stands before it is mostly teasers and
// needs a threshold that is higher by that factor, of the page's best score at most that share.
constexpr std::int64_t kBehindTitle = 300, kBeforeTitle = 1600, kMostBefore = 900;
// Linked cells of a table of data stay between cells without links that have half of the page's best score: so many in
// a row at most, with at least that score, and if the table has at least so many such places. Then rows are not torn,
// and lists of teasers are left out.
constexpr std::size_t kLinkedCells = 2, kLinkedPlaces = 3;
constexpr std::int64_t kLinkedScore = 300;
// Comments stay if the model wants them, they are more than this share of a page's main content, and the rest has fewer
// words: on such pages (forums, questions and answers) they are the content. Longer texts are articles with readers.
constexpr double kCommentsAreContent = 0.8;
constexpr std::int64_t kArticleWords = 500;
// What counts as the text of a comment where comments are kept: not its date, its author or its buttons.
constexpr std::uint32_t kCommentWords = 5;
constexpr double kCommentLinkDensity = 0.3;

class Page {
 public:
  Page(const ScoredBlocks& blocks, const WantedContent& wanted)
      : blocks_(blocks),
        wanted_(wanted),
        size_(blocks.scores.size()),
        best_(size_ == 0 ? 0 : *std::ranges::max_element(blocks.scores)),
        good_(size_),
        left_out_(size_) {}

  void decide(std::span<ContentVerdict> verdicts) {
    by_score();
    keep_rows_of_tables();
    leave_out_kinds();
    decide_comments();
    if (wanted_.title && any_kept()) {
      for (std::size_t i = 0; i < size_; ++i) good_[i] = good_[i] || is(i, BlockKind::title);
    }
    for (std::size_t i = 0; i < size_; ++i) {
      verdicts[i] = !good_[i] ? ContentVerdict::score : left_out_[i] ? ContentVerdict::kind : ContentVerdict::kept;
    }
  }

 private:
  bool is(std::size_t i, BlockKind kind) const { return blocks_.kinds[i] == static_cast<std::uint8_t>(kind); }
  std::int64_t score(std::size_t i) const { return blocks_.scores[i]; }
  bool has_half(std::size_t i) const { return 2 * score(i) >= best_; }
  bool linked(std::size_t i) const { return blocks_.link_density[i] > kMostLinked; }
  bool kept(std::size_t i) const { return good_[i] && !left_out_[i]; }
  bool any_kept() const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (kept(i)) return true;
    }
    return false;
  }

  // The lowest score is a share of the page's best score: on pages of a kind that the model knows little all are low.
  void by_score() {
    const std::int64_t threshold = wanted_.threshold;
    const std::int64_t least = std::max(std::min(threshold, kLeastScore), threshold * best_ / kTop);
    const std::int64_t low = std::max(kOfThreshold * threshold / kTop, std::min(threshold, kLeastOfAll));
    const std::int64_t before = std::min(kBeforeTitle * threshold / kTop, kMostBefore) * best_ / kTop;
    std::int64_t text = 0, all = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      all += blocks_.words[i];
      text += score(i) >= low ? blocks_.words[i] : 0;
    }
    const bool lower = best_ >= kLeastScore && kTop * text >= kNearlyAll * all;
    const std::size_t teasers = before_title();
    for (std::size_t i = 0; i < size_; ++i) {
      std::int64_t lowest = lower && !linked(i) ? std::min(low, least) : least;
      if (i < teasers) lowest = std::max(lowest, before);
      good_[i] = score(i) >= lowest;
    }
  }

  // How many blocks stand before the title, if the page has enough of its main content behind it. Main content is here
  // what has half of the page's best score, whatever the threshold: a higher one keeps no more.
  std::size_t before_title() const {
    std::size_t title = 0;
    while (title < size_ && !is(title, BlockKind::title)) ++title;
    if (title == 0 || title == size_) return 0;
    std::int64_t behind = 0, all = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::int64_t words = has_half(i) ? blocks_.words[i] : 0;
      all += words;
      behind += i < title ? 0 : words;
    }
    return behind > 0 && kTop * behind >= kBehindTitle * all ? title : 0;
  }

  void keep_rows_of_tables() {
    std::vector<std::size_t> places;  // first cells of linked ones that stay
    for (std::size_t first = 0; first < size_;) {
      if (!is(first, BlockKind::table)) {
        ++first;
        continue;
      }
      std::size_t end = first;
      while (end < size_ && is(end, BlockKind::table)) ++end;
      places.clear();
      for (std::size_t i = first; i < end;) {
        const std::size_t start = i;
        while (i < end && linked(i)) ++i;
        if (i == start) {
          ++i;
        } else if (between_kept(first, end, start, i)) {
          places.push_back(start);
        }
      }
      if (places.size() >= kLinkedPlaces) {
        for (const std::size_t start : places) {
          for (std::size_t i = start; i < end && linked(i); ++i) good_[i] = true;
        }
      }
      first = end;
    }
  }

  // Whether the linked cells from `start` to `stop` of the table from `first` to `end` stand between cells that stay.
  bool between_kept(std::size_t first, std::size_t end, std::size_t start, std::size_t stop) const {
    const auto stays = [&](std::size_t i) { return good_[i] && has_half(i); };
    if (stop - start > kLinkedCells || (start == first && stop == end)) return false;
    for (std::size_t i = start; i < stop; ++i) {
      if (score(i) < kLinkedScore) return false;
    }
    return (start == first || stays(start - 1)) && (stop == end || stays(stop));
  }

  void leave_out_kinds() {
    for (std::size_t i = 0; i < size_; ++i) {
      left_out_[i] = (is(i, BlockKind::title) && !wanted_.title) || (is(i, BlockKind::table) && !wanted_.tables) ||
                     (is(i, BlockKind::code) && !wanted_.code);
    }
  }

  void decide_comments() {
    std::int64_t of_comments = 0, all = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (kept(i)) {
        all += blocks_.words[i];
        of_comments += is(i, BlockKind::comment) ? blocks_.words[i] : 0;
      }
    }
    const bool are_content = static_cast<double>(of_comments) > kCommentsAreContent * static_cast<double>(all) &&
                             all - of_comments < kArticleWords;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!is(i, BlockKind::comment)) continue;
      if (!wanted_.comments) {
        left_out_[i] = !are_content;
      } else if (blocks_.words[i] >= kCommentWords && blocks_.link_density[i] <= kCommentLinkDensity) {
        good_[i] = true;
      }
    }
  }

  const ScoredBlocks& blocks_;
  const WantedContent& wanted_;
  std::size_t size_;
  std::int64_t best_;
  std::vector<char> good_, left_out_;
};

}  // namespace

void find_main_content(const ScoredBlocks& page, const WantedContent& wanted, std::span<ContentVerdict> verdicts) {
  Page(page, wanted).decide(verdicts);
}

}  // namespace corpusprep
