// A tournament tree (Knuth, TAOCP 3, 5.4.1): finds the smallest of k sorted sources with log2 k comparisons per step.
// All k-way merges of the kernels use it.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace corpusprep {

// `less(a, b)` returns whether source a comes before source b; exhausted sources come last. Either may win a tie.
template <class Less>
class Tournament {
 public:
  Tournament(std::size_t sources, Less less) : less_(std::move(less)), losers_(sources), sources_(sources) {
    if (sources_ != 0) losers_[0] = sources_ == 1 ? 0 : play(1);
  }
  // Returns the number of the source that comes first.
  std::size_t first() const noexcept { return losers_[0]; }
  // Must be called after the first source moved to its next value or was exhausted.
  void replay() {
    std::size_t winner = losers_[0];
    for (std::size_t node = (winner + sources_) / 2; node >= 1; node /= 2) {
      // The winner is unpredictable, so there is no branch.
      const std::size_t challenger = losers_[node];
      const bool wins = less_(challenger, winner);
      losers_[node] = wins ? winner : challenger;
      winner = wins ? challenger : winner;
    }
    losers_[0] = winner;
  }

 private:
  std::size_t play(std::size_t node) {
    if (node >= sources_) return node - sources_;
    std::size_t winner = play(2 * node), loser = play(2 * node + 1);
    if (less_(loser, winner)) std::swap(loser, winner);
    losers_[node] = loser;
    return winner;
  }
  Less less_;
  std::vector<std::size_t> losers_;  // node -> the source that lost there; [0] is the winner
  std::size_t sources_;
};

}  // namespace corpusprep
