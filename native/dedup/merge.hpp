// Merges runs: gives the duplicate n-grams of a corpus as sorted 64-bit keys.
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

// Gives the distinct n-grams of several runs in ascending order, with the sums of their counts. Each run takes
// `buffer_bytes`, about a kilobyte more, and an open file.
class RunMerger {
 public:
  RunMerger(const std::vector<RunSource>& sources, std::uint32_t n, std::size_t buffer_bytes);
  RunMerger(const RunMerger&) = delete;
  RunMerger& operator=(const RunMerger&) = delete;

  // Returns false once after the last n-gram, when all checksums were found correct.
  bool next();
  const NgramCode& code() const noexcept { return code_; }
  std::uint64_t count() const noexcept { return count_; }
  // Entries of the runs that were read so far.
  std::uint64_t entries() const noexcept { return entries_; }
  // An n-gram is not one of the lexicon: throws an error that names the damaged run.
  [[noreturn]] void blame();

 private:
  struct Less {
    const RunMerger* merger;
    bool operator()(std::size_t a, std::size_t b) const noexcept;
  };
  void advance(std::size_t source);
  // Returns whether the next n-gram of a run is the current one.
  bool repeats(std::size_t source);
  std::vector<RunReader> runs_;
  // first group of each run's code; all ones, which no code has, if the run is exhausted
  std::vector<std::uint64_t> heads_;
  std::unique_ptr<Tournament<Less>> order_;
  NgramCode code_;
  std::uint64_t count_ = 0, entries_ = 0;
};

// Merges runs into the only run of the file `output`. Its header contains only n.
void merge_runs(const std::vector<RunSource>& sources, std::uint32_t n, const std::string& output,
                std::size_t buffer_bytes);

struct DuplicateTotals {
  std::uint64_t keys = 0;        // distinct
  std::uint64_t instances = 0;   // of duplicate n-grams
  std::uint64_t collisions = 0;  // duplicate n-grams whose key another one has: keys + collisions n-grams in all
  std::uint64_t checksum = 0;    // of keys and counts in the file
};

// Collects the keys of the n-grams that occur twice or more.
class DuplicateCollector {
 public:
  static constexpr std::size_t kBytesPerKey = 2 * sizeof(std::uint64_t);

  // `word_keys` by id. Holds up to `capacity` (>= 1) keys in memory, which is only touched as far as it is used. More
  // keys go, sorted, to the file `spill`; the caller removes it. 1 <= n <= kLongestNgram.
  DuplicateCollector(const std::vector<RunSource>& sources, std::uint32_t n, std::size_t buffer_bytes,
                     std::vector<std::uint64_t> word_keys, std::size_t capacity, std::string spill);

  // Merges until `entries` more entries of the runs were read. Returns false when all were read.
  bool advance(std::uint64_t entries);
  // Must be called after the last advance(). Writes `header_bytes` zeros, the keys (u64, ascending) and their counts
  // (u32; 2^32 - 1 stands for larger ones).
  DuplicateTotals write(const std::string& path, std::size_t header_bytes);

 private:
  struct Key {
    std::uint64_t key, count;
  };
  // A duplicate n-gram that waits until the keys of its words are in the cache.
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
  std::size_t found_ = 0;  // duplicates; the last ones wait
  std::size_t capacity_, size_ = 0;
  PageArray<Key> keys_;
  std::string spill_path_;
  std::unique_ptr<FileWriter> spill_;
  std::vector<std::uint64_t> spilled_;  // number of keys in each part of the spill file
};

}  // namespace corpusprep::ngrams
