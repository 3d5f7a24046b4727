// Merges runs: gives the duplicate n-grams of a corpus as sorted 64-bit keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "common/prefetch.hpp"
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

// The key of an n-gram, and a second hash of its words: n-grams that differ agree in both in one of 2^96 cases.
struct CheckedKey {
  std::uint64_t key;
  std::uint32_t check, zero = 0;
  auto operator<=>(const CheckedKey&) const = default;
};

// Makes keys of n-grams. The last n-grams wait until the keys of their words are in the cache.
class KeyMaker {
 public:
  // `word_keys` by id. 1 <= n <= kLongestNgram.
  KeyMaker(std::uint32_t n, std::vector<std::uint64_t> word_keys) : n_(n), word_keys_(std::move(word_keys)) {}
  // Takes an n-gram; calls visit(words, count) with the keys of the words of one that has waited. Returns false if the
  // n-gram does not belong to the lexicon.
  template <class Visit>
  bool take(const NgramCode& code, std::uint64_t count, Visit visit) {
    Waiting& slot = waiting_[taken_ % waiting_.size()];
    if (taken_ >= waiting_.size()) visit(words(slot).data(), slot.count);
    if (!decode_ngram(code, n_, slot.ids.data())) return false;
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (slot.ids[i] >= word_keys_.size()) return false;
      prefetch_line(&word_keys_[slot.ids[i]]);
    }
    slot.count = count;
    ++taken_;
    return true;
  }
  // Calls visit for those that still wait.
  template <class Visit>
  void finish(Visit visit) {
    for (std::size_t i = taken_ - std::min(taken_, waiting_.size()); i < taken_; ++i) {
      const Waiting& slot = waiting_[i % waiting_.size()];
      visit(words(slot).data(), slot.count);
    }
    taken_ = 0;
  }

 private:
  struct Waiting {
    std::array<std::uint32_t, kLongestNgram> ids;
    std::uint64_t count;
  };
  std::array<std::uint64_t, kLongestNgram> words(const Waiting& ngram) const noexcept {
    std::array<std::uint64_t, kLongestNgram> words;
    for (std::uint32_t i = 0; i < n_; ++i) words[i] = word_keys_[ngram.ids[i]];
    return words;
  }
  std::uint32_t n_;
  std::vector<std::uint64_t> word_keys_;
  std::array<Waiting, 8> waiting_;
  std::size_t taken_ = 0;
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

  // Which of `count` ascending keys n-grams of these runs have: their places, each with the check of the n-gram, in
  // ascending order. Must be called after write(). Takes kBytesPerPlace for each n-gram of the runs whose key is in the
  // range of the keys; room for `expected` of them is reserved.
  static constexpr std::size_t kBytesPerPlace = 2 * sizeof(CheckedKey);
  std::vector<CheckedKey> places(const std::vector<RunSource>& sources, const std::uint64_t* keys, std::size_t count,
                                 std::size_t expected);

 private:
  struct Key {
    std::uint64_t key, count;
  };
  void add(const std::uint64_t* words, std::uint64_t count);
  void sort() noexcept;
  void spill();
  template <class Visit>
  void each_key(Visit visit);
  std::unique_ptr<RunMerger> merger_;  // until write()
  std::uint32_t n_;
  std::size_t buffer_bytes_;
  KeyMaker maker_;
  std::size_t capacity_, size_ = 0;
  PageArray<Key> keys_;
  std::string spill_path_;
  std::unique_ptr<FileWriter> spill_;
  std::vector<std::uint64_t> spilled_;  // number of keys in each part of the spill file
};

}  // namespace corpusprep::ngrams
