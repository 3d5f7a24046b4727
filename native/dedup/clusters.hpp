// Near-duplicate documents: clusters around the documents that stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "dedup/matches.hpp"
#include "io/frames.hpp"

namespace corpusprep::blocks {

// Two documents are near-duplicates if the n-grams that both have are `share` or more of the n-grams that any of them
// has, each counted once (resemblance: Broder 1997).
class Resemblance {
 public:
  explicit Resemblance(double share) : share_(share) {}
  bool reached(std::uint64_t common, std::uint64_t all) const noexcept {
    return all != 0 && static_cast<double>(common) / static_cast<double>(all) >= share_;
  }
  // The fewest n-grams that a document with `ngrams` n-grams must have in common with a near-duplicate.
  std::uint64_t least_common(std::uint64_t ngrams) const noexcept;

 private:
  double share_;
};

// The documents of a stream of matches that can be near-duplicates of others: enough of their n-grams occur twice or
// more in the corpus.
class ClusterCandidates {
 public:
  explicit ClusterCandidates(double share) : resemblance_(share), reader_(kMatchesFormat) {}
  // Takes the next bytes of the stream. An empty piece says that there are no more; the stream must then be complete.
  void feed(std::string_view bytes);
  const FrameReader& stream() const noexcept { return reader_; }

  // One row per document: its number, its distinct n-grams, and how many of them are duplicate n-grams.
  std::vector<std::uint32_t> documents, ngrams, sizes;
  std::vector<std::uint64_t> ranks;
  std::vector<std::uint64_t> keys;  // the numbers of these duplicate n-grams, ascending

 private:
  Resemblance resemblance_;
  FrameReader reader_;
  MatchedDocument document_;
  std::vector<std::uint64_t> distinct_;
};

// Takes documents in the order of preference. A document belongs to the first document before it that stays and that it
// is a near-duplicate of; if there is none, it stays.
//
// N-grams are looked up in an index of the rarest n-grams of the documents that stay (prefix filter: Chaudhuri, Ganti
// and Kaushik 2006; Bayardo, Ma and Srikant 2007). When the index is full, documents that are no near-duplicates of
// those in it are left for another pass. So the result does not depend on the memory.
class ClusterPass {
 public:
  static constexpr std::uint64_t kUndecided = UINT64_MAX;
  static constexpr std::size_t kBytesPerEntry = 72;  // an entry of the index with its slots, a leader with its mark

  // `counters` (1 or more): how many counters of frequencies there are; only speed depends on them. The index has room
  // for `most_keys` n-grams of documents, and for `most_entries` of the rare ones.
  ClusterPass(double share, std::size_t counters, std::size_t most_keys, std::size_t most_entries);

  // Counts the n-grams of documents; must be called for all of them before the first pass.
  void count(const std::uint64_t* keys, std::size_t size) noexcept;
  // Decides on the next document. Returns the rank of the document that stays, or kUndecided; sets `common` and `all`
  // to the n-grams that both have, and that any of them has.
  std::uint64_t document(std::uint64_t rank, std::uint32_t ngrams, const std::uint64_t* keys, std::size_t size,
                         std::uint64_t& common, std::uint64_t& all);
  // Starts another pass, over the documents that were left.
  void restart();

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Leader {
    std::uint64_t rank, start;
    std::uint32_t ngrams, size;
  };
  struct Slot {
    std::uint64_t key;
    std::uint32_t first;  // its last entry, or kNone
  };
  struct Entry {
    std::uint32_t leader, next;
  };
  std::size_t slot_of(std::uint64_t key) const noexcept;
  std::uint16_t& counter(std::uint64_t key) noexcept;
  std::size_t entries(std::uint32_t ngrams, std::size_t size) const noexcept;
  void find_rare(const std::uint64_t* keys, std::size_t size, std::size_t entries);
  void find_candidates(std::uint32_t ngrams);

  Resemblance resemblance_;
  std::vector<std::uint16_t> counters_;
  std::size_t most_keys_, most_entries_;
  std::vector<Slot> slots_;
  std::vector<Entry> entries_;
  std::vector<Leader> leaders_;
  std::vector<std::uint32_t> marks_;  // of leaders: the last document that they were candidates of
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint64_t> rare_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ordered_;
  std::uint32_t mark_ = 0;
  bool full_ = false;
};

}  // namespace corpusprep::blocks
