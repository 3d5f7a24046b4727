// Keys of n-grams, partitioned by their highest bits. They show which n-grams can be duplicates, before any are sorted.
//
// Each batch writes the keys of its n-grams into partitions. The keys of one partition, of all batches, fit the cache
// and are counted there. Keys that occur twice are candidates; a filter of them passes each duplicate n-gram and few
// others. These keys have 44 bits and have no other use: the n-grams that pass are verified on their ids.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "common/page_array.hpp"
#include "dedup/elias.hpp"
#include "io/stage_file.hpp"

namespace corpusprep::ngrams {

// A polynomial of the keys of the last n words, modulo 2^64. Each step adds one word and removes one.
class RollingKey {
 public:
  explicit RollingKey(std::uint32_t n) noexcept : n_(n) {
    for (std::uint32_t i = 0; i < n; ++i) oldest_ *= kBase;
  }
  void reset() noexcept {
    words_ = 0;
    key_ = 0;
  }
  // Adds the next word of a document. Returns whether n words were added since reset(), so that key() is that of an
  // n-gram.
  bool push(std::uint64_t word_key) noexcept {
    std::uint64_t& slot = last_[place_];
    if (++place_ == n_) place_ = 0;
    const std::uint64_t gone = words_ >= n_ ? slot : 0;
    slot = word_key;
    key_ = key_ * kBase + word_key - gone * oldest_;
    return ++words_ >= n_;
  }
  std::uint64_t key() const noexcept { return key_; }

 private:
  static constexpr std::uint64_t kBase = 0xD1342543DE82EF95ULL;
  std::uint32_t n_, place_ = 0;
  std::uint64_t words_ = 0, key_ = 0, oldest_ = 1;
  std::array<std::uint64_t, kLongestNgram> last_;
};

// A key inside a partition: the bits below those that give the partition.
struct PartitionKey {
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kPartitions = std::size_t{1} << kBits;
  std::uint32_t partition;
  std::uint32_t rest;
  static PartitionKey of(std::uint64_t key) noexcept {
    return {static_cast<std::uint32_t>(key >> (64 - kBits)), static_cast<std::uint32_t>(key >> (32 - kBits))};
  }
};

// Where a run of keys is in its file: the number of keys in each of the kPartitions partitions (u32), then the keys,
// partition by partition.
struct KeySpan {
  std::uint64_t offset = 0, keys = 0, checksum = 0;
  std::uint64_t bytes() const noexcept { return sizeof(std::uint32_t) * (PartitionKey::kPartitions + keys); }
};

struct KeySource {
  std::string path;
  KeySpan span;
};

struct KeysHeader {
  std::uint64_t n = 0;
  std::uint64_t selection = 0;
  std::vector<KeySpan> runs;
};

// Returns the header and the index of a file of keys, both checked.
KeysHeader read_keys_header(const std::string& path);

class KeysWriter {
 public:
  explicit KeysWriter(const std::string& path) : file_(path) {}
  void start_run(const std::array<std::uint32_t, PartitionKey::kPartitions>& counts);
  void add(const std::uint32_t* keys, std::size_t count) { file_.append(keys, count * sizeof *keys); }
  void finish_run();
  void finish(std::uint64_t n, std::uint64_t selection);

 private:
  FileWriter file_;
  std::vector<KeySpan> runs_;
};

// Writes the keys of the n-grams of a batch, from its counted tokens.
class KeyPartitioner {
 public:
  static constexpr std::size_t kBytesPerKey = sizeof(std::uint32_t);
  // The smallest capacity: 16 keys per partition.
  static constexpr std::size_t kMinCapacity = PartitionKey::kPartitions * 16;

  // Holds up to `capacity` (>= kMinCapacity) keys. When a partition is full, all keys are written as a run.
  KeyPartitioner(const std::string& path, std::uint32_t n, std::size_t capacity, std::uint64_t selection);
  // Adds the next counted tokens of a document, up to kMost of them. The places of all their keys are requested from
  // memory first.
  static constexpr std::size_t kMost = 64;
  void add(const std::uint64_t* word_keys, std::size_t count) {
    std::array<PartitionKey, kMost> ready;
    std::size_t ngrams = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!rolling_.push(word_keys[i])) continue;
      const PartitionKey key = PartitionKey::of(rolling_.key());
      __builtin_prefetch(keys_.get() + (key.partition * room_ + sizes_[key.partition]), 1);
      ready[ngrams++] = key;
    }
    for (std::size_t i = 0; i < ngrams; ++i) put(ready[i]);
  }
  void end_document() noexcept { rolling_.reset(); }
  void finish();

 private:
  void put(PartitionKey key) {
    std::uint32_t& size = sizes_[key.partition];
    keys_[key.partition * room_ + size] = key.rest;
    if (++size == room_) make_room(key.partition);
  }
  void make_room(std::size_t partition);
  void flush();

  KeysWriter writer_;
  std::uint32_t n_;
  std::uint64_t selection_;
  std::size_t room_;  // keys per partition
  RollingKey rolling_;
  PageArray<std::uint32_t> keys_;
  std::array<std::uint32_t, PartitionKey::kPartitions> sizes_{};
};

// Merges runs of keys into one, in the file `output`. Each run takes `buffer_bytes`, 16 kB, and an open file.
void merge_keys(const std::vector<KeySource>& sources, const std::string& output, std::size_t buffer_bytes);

struct CandidateTotals {
  std::uint64_t keys = 0;        // all keys that were counted
  std::uint64_t candidates = 0;  // distinct keys that occur twice or more
};

// Consecutive partitions with all their keys.
struct KeyGroup {
  PageArray<std::uint32_t> keys;
  std::vector<std::size_t> sizes;  // one per partition
};

// Finds the keys of partitions that occur twice or more, and makes a filter of them. For one thread at a time. Its
// table is filled again for each partition and holds only keys and one bit each, so that it stays in the second-level
// cache; that keeps it apart from KeyTable.
class PartitionCounter {
 public:
  // For partitions of up to `largest` keys.
  explicit PartitionCounter(std::size_t largest);
  // Counts each partition of a group.
  void count(const KeyGroup& group);
  // The filters of the partitions counted last, one after another, and where each filter ends.
  const std::vector<std::uint64_t>& cells() const noexcept { return cells_; }
  const std::vector<std::size_t>& ends() const noexcept { return ends_; }
  // The candidates of these partitions.
  std::uint64_t candidates() const noexcept { return candidates_; }

 private:
  void find(const std::uint32_t* keys, std::size_t size);
  void find_among_few(const std::uint32_t* keys, std::size_t size);

  PageArray<std::uint32_t> scattered_;
  std::vector<std::uint32_t> table_;
  std::vector<std::uint64_t> repeated_;  // one bit per slot
  std::vector<std::uint32_t> found_;
  std::vector<std::uint64_t> cells_;
  std::vector<std::size_t> ends_;
  std::uint64_t candidates_ = 0;
};

// Counts the keys of all runs, partition by partition, and writes the filter of those that occur twice or more.
class CandidateCounter {
 public:
  // A thread counts about this many keys at a time; it is started for each group of partitions.
  static constexpr std::size_t kGroupKeys = std::size_t{1} << 18;
  // Memory of a run beside its buffer.
  static constexpr std::size_t kBytesPerRun = sizeof(std::uint32_t) * PartitionKey::kPartitions + 4096;
  // Returns the memory beside the runs, if the largest partition has `largest` keys.
  static std::size_t bytes_for(std::size_t largest, std::size_t threads) noexcept;

  // Counts in `threads` (>= 1) threads. With two or more, the calling thread reads at the same time. The result does
  // not depend on the number of threads.
  CandidateCounter(const std::vector<KeySource>& sources, std::size_t buffer_bytes, const std::string& output,
                   std::uint64_t n, std::uint64_t selection, std::size_t threads);
  // Keys of the largest partition.
  std::size_t largest() const noexcept { return largest_; }
  // Counts the next partitions. Returns false once after the last, when the file is complete.
  bool advance();
  const CandidateTotals& totals() const noexcept { return totals_; }

 private:
  struct Run {
    FileReader file;
    KeySpan span;
    std::vector<std::uint32_t> counts;
  };
  void read(KeyGroup& group);
  void write(const PartitionCounter& counter);
  void finish();
  std::vector<Run> runs_;
  FileWriter output_;
  std::uint64_t n_, selection_;
  std::size_t largest_ = 0, partition_ = 0;
  std::vector<std::size_t> sizes_;          // of the partitions
  std::vector<PartitionCounter> counters_;  // one per thread
  std::vector<KeyGroup> counted_, read_;    // one per counter; read_ only if this thread reads at the same time
  std::vector<std::uint64_t> index_;        // number of cells before each partition
  CandidateTotals totals_;
};

struct CandidatesHeader {
  std::uint64_t n = 0;
  std::uint64_t selection = 0;
  std::uint64_t candidates = 0;
  std::uint64_t cells = 0;  // of 64 bits
};

CandidatesHeader read_candidates_header(const std::string& path);

// One blocked Bloom filter (Putze, Sanders and Singler 2009) per partition, with cells of 64 bits. Each key sets four
// bits and has room for 16. About one in 150 other keys passes.
class CandidateFilter {
 public:
  static constexpr std::size_t kBitsPerKey = 16;

  // Holds the filters of the partitions from `first` to before `end`. Keys of other partitions do not pass.
  CandidateFilter(const std::string& path, std::size_t first, std::size_t end);
  // Returns how many cells come before each partition, and the number of all cells.
  static std::vector<std::uint64_t> index(const std::string& path);

  static std::uint64_t bits_of(std::uint32_t rest) noexcept {
    const std::uint64_t mixed = mix64(rest + kWordKeySeed);
    return std::uint64_t{1} << (mixed & 63) | std::uint64_t{1} << (mixed >> 6 & 63) |
           std::uint64_t{1} << (mixed >> 12 & 63) | std::uint64_t{1} << (mixed >> 18 & 63);
  }
  static std::uint64_t cell_of(std::uint32_t rest, std::uint64_t cells) noexcept { return rest * cells >> 32; }

  // Returns the cell of a key. The key may be a duplicate if all bits_of(key.rest) are set there.
  const std::uint64_t* cell(PartitionKey key) const noexcept {
    const Part& part = parts_[key.partition];
    return cells_.get() + (part.start + cell_of(key.rest, part.cells));
  }

 private:
  struct Part {
    std::uint32_t start, cells;
  };
  std::vector<Part> parts_;  // partitions that are not held or have no candidates share an empty cell
  PageArray<std::uint64_t> cells_;
};

}  // namespace corpusprep::ngrams
