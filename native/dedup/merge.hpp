// Merging runs: the duplicate n-grams of a corpus, as sorted 64-bit keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/tournament.hpp"
#include "dedup/elias.hpp"
#include "dedup/runs.hpp"

namespace corpusprep::ngrams {

struct RunSource {
  std::string path;
  RunSpan span;
};

// Goes through the distinct n-grams of several runs in ascending order, with the sum of their counts. Each run takes
// `buffer_bytes`, about a kilobyte more, and an open file.
class RunMerger {
 public:
  RunMerger(const std::vector<RunSource>& sources, std::uint32_t n, std::size_t buffer_bytes);
  RunMerger(const RunMerger&) = delete;
  RunMerger& operator=(const RunMerger&) = delete;

  // False once after the last n-gram, when all checksums have been found right.
  bool next();
  const NgramCode& code() const noexcept { return code_; }
  std::uint64_t count() const noexcept { return count_; }
  // Entries of the runs taken so far.
  std::uint64_t entries() const noexcept { return entries_; }
  // An n-gram cannot be what a run was written with: says which run is damaged.
  [[noreturn]] void blame();

 private:
  struct Less {
    const RunMerger* merger;
    bool operator()(std::size_t a, std::size_t b) const noexcept;
  };
  void advance(std::size_t source);
  // Whether the next n-gram of a run is the one at hand.
  bool repeats(std::size_t source);
  std::vector<RunReader> runs_;
  std::vector<std::uint64_t> heads_;  // first group of each run's code; all ones when it is exhausted, as no code is
  std::unique_ptr<Tournament<Less>> order_;
  NgramCode code_;
  std::uint64_t count_ = 0, entries_ = 0;
};

// Merges runs into one, the only one of the file `output`; its header has nothing but n.
void merge_runs(const std::vector<RunSource>& sources, std::uint32_t n, const std::string& output,
                std::size_t buffer_bytes);

struct DuplicateTotals {
  std::uint64_t keys = 0;        // distinct
  std::uint64_t instances = 0;   // of duplicate n-grams
  std::uint64_t collisions = 0;  // duplicate n-grams whose key another one has: keys + collisions n-grams in all
  std::uint64_t checksum = 0;    // of keys and counts as they lie in the file
};

// Collects the keys of n-grams that occur twice or more.
class DuplicateCollector {
 public:
  static constexpr std::size_t kBytesPerKey = 2 * sizeof(std::uint64_t);

  // `word_keys` by id. Holds up to `capacity` (>= 1) keys in memory, touched as far as it is used; more go, sorted,
  // to the file `spill`, which stays the caller's to remove. 1 <= n <= kLongestNgram.
  DuplicateCollector(const std::vector<RunSource>& sources, std::uint32_t n, std::size_t buffer_bytes,
                     std::vector<std::uint64_t> word_keys, std::size_t capacity, const std::string& spill);

  // Merges until `entries` more entries of the runs have been taken; false once all are.
  bool advance(std::uint64_t entries);
  // After the last advance(): writes `header_bytes` zeros, the keys (u64, ascending), their counts (u32, those too
  // large being 2^32 - 1).
  DuplicateTotals write(const std::string& path, std::size_t header_bytes);

 private:
  struct Key {
    std::uint64_t key, count;
  };
  // A duplicate that waits for the keys of its words to come into the cache.
  struct Waiting {
    std::array<std::uint32_t, kLongestNgram> ids;
    std::uint64_t count;
  };
  void add(const Waiting& ngram);
  void sort() noexcept;
  void spill();
  template <class Visit>
  void each_key(Visit visit);
  RunMerger merger_;
  std::uint32_t n_;
  std::size_t buffer_bytes_;
  std::vector<std::uint64_t> word_keys_;
  std::array<Waiting, 8> waiting_;
  std::size_t found_ = 0;  // duplicates; the last of them wait
  std::size_t capacity_, size_ = 0;
  PageArray<Key> keys_;
  std::string spill_path_;
  std::unique_ptr<FileWriter> spill_;
  std::vector<std::uint64_t> spilled_;  // keys in each part of the spill file
};

}  // namespace corpusprep::ngrams
