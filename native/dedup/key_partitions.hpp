// Keys of n-grams, partitioned by their highest bits. They show which n-grams can be duplicates, before any are sorted.
//
// Each batch writes the keys of its n-grams into partitions. The keys of one partition, of all batches, fit the cache
// and are counted there. Keys that occur twice are candidates; a filter of them passes each duplicate n-gram and few
// others. These keys have 44 bits and have no other use: the n-grams that pass are verified on their ids.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "common/page_array.hpp"
#include "common/radix_sort.hpp"
#include "dedup/elias.hpp"
#include "io/stage_file.hpp"

namespace corpusprep::ngrams {

// A number of 64 or 128 bits whose highest bits are the key of an n-gram, as the rest of it has 32 or 64 bits.
template <class Rest>
using NgramNumber = std::conditional_t<sizeof(Rest) == 4, std::uint64_t, unsigned __int128>;

// A polynomial of the keys of the last n words, modulo 2^64 or 2^128. Each step adds one word and removes one.
template <class Number>
class RollingNumber {
 public:
  explicit RollingNumber(std::uint32_t n) noexcept : n_(n) {
    for (std::uint32_t i = 0; i < n; ++i) oldest_ *= kBase;
  }
  void reset() noexcept {
    words_ = 0;
    number_ = 0;
  }
  // Adds the next word of a document. Returns whether n words were added since reset(), so that number() is that of an
  // n-gram.
  bool push(std::uint64_t word_key) noexcept {
    std::uint64_t& slot = last_[place_];
    if (++place_ == n_) place_ = 0;
    const std::uint64_t gone = words_ >= n_ ? slot : 0;
    slot = word_key;
    // Multiplied last, so that each word decides the highest bits.
    number_ = (number_ - gone * oldest_ + word_key) * kBase;
    return ++words_ >= n_;
  }
  Number number() const noexcept { return number_; }

 private:
  // Odd; no power of it up to the longest n-gram is near 1.
  static constexpr auto kBase =
      static_cast<Number>(static_cast<unsigned __int128>(0x9E6C63D0676A9A99ULL) << 64 | 0xD1342543DE82EF95ULL);
  std::uint32_t n_, place_ = 0;
  std::uint64_t words_ = 0;
  Number number_ = 0, oldest_ = 1;
  std::array<std::uint64_t, kLongestNgram> last_;
};

using RollingKey = RollingNumber<std::uint64_t>;

constexpr unsigned kPartitionBits = 12;
constexpr std::size_t kPartitions = std::size_t{1} << kPartitionBits;

// A key inside a partition: the bits below those that give the partition.
template <class Rest>
struct PartitionedKey {
  std::uint32_t partition;
  Rest rest;
  static PartitionedKey of(NgramNumber<Rest> number) noexcept {
    constexpr unsigned kBelow = 8 * sizeof number - kPartitionBits;
    return {static_cast<std::uint32_t>(number >> kBelow), static_cast<Rest>(number >> (kBelow - 8 * sizeof(Rest)))};
  }
};

using PartitionKey = PartitionedKey<std::uint32_t>;

// Where a run of keys is in its file: the number of keys in each of its partitions (u32), then the keys, partition by
// partition. `checksum` is the checksum of all.
struct KeySpan {
  std::uint64_t offset = 0, keys = 0, checksum = 0;
};

struct KeySource {
  std::string path;
  KeySpan span;
};

struct KeysHeader {
  std::uint64_t n = 0;
  std::uint64_t selection = 0;
  std::uint64_t parts = 1;     // what was held at once is a run for each part, in order: a range of the partitions
  std::uint64_t left_out = 0;  // further instances of keys that are twice in a run
  std::uint64_t tokens = 0;    // that the n-grams are made of
  std::vector<KeySpan> runs;
};

// The first partition of a part; for the part after the last, kPartitions.
inline std::size_t first_partition(std::size_t part, std::size_t parts) noexcept { return kPartitions * part / parts; }

// Returns the header and the index of a file of keys, both checked.
template <class Rest>
KeysHeader read_keys_header(const std::string& path);

// Returns the number of keys of the largest partition of runs that have `partitions` partitions. Of what it
// reads, only the sums are checked, not the checksums of the keys: the number is for plans.
std::uint64_t largest_partition(const std::vector<KeySource>& sources, std::size_t partitions);

template <class Rest>
class KeysWriter {
 public:
  explicit KeysWriter(const std::string& path) : file_(path) {}
  void start_run(std::span<const std::uint32_t> counts);
  void add(const Rest* keys, std::size_t count) { file_.append(keys, count * sizeof *keys); }
  void finish_run();
  // Writes `header` with the runs that were added.
  void finish(const KeysHeader& header);

 private:
  FileWriter file_;
  std::vector<KeySpan> runs_;
};

// Writes the keys of the n-grams of a batch, from its counted tokens.
template <class Rest>
class Partitioner {
 public:
  // The smallest capacity: 16 keys per partition.
  static constexpr std::size_t kMinCapacity = kPartitions * 16;

  // Holds up to `capacity` (>= kMinCapacity) keys. When a partition is full, all keys are written as a run.
  Partitioner(const std::string& path, std::uint32_t n, std::size_t capacity, std::uint64_t selection,
              std::uint32_t parts = 1);
  // Adds the next counted tokens of a document, up to kMost of them. The places of all their keys are requested from
  // memory first.
  static constexpr std::size_t kMost = 64;
  void add(const std::uint64_t* word_keys, std::size_t count) {
    std::array<PartitionedKey<Rest>, kMost> ready;
    std::size_t ngrams = 0;
    header_.tokens += count;
    for (std::size_t i = 0; i < count; ++i) {
      if (!rolling_.push(word_keys[i])) continue;
      const auto key = PartitionedKey<Rest>::of(rolling_.number());
      __builtin_prefetch(keys_.get() + (key.partition * room_ + sizes_[key.partition]), 1);
      ready[ngrams++] = key;
    }
    for (std::size_t i = 0; i < ngrams; ++i) put(ready[i]);
  }
  void end_document() noexcept { rolling_.reset(); }
  void finish();

 private:
  void put(PartitionedKey<Rest> key) {
    std::uint32_t& size = sizes_[key.partition];
    keys_[key.partition * room_ + size] = key.rest;
    if (++size == room_) make_room(key.partition);
  }
  void make_room(std::size_t partition);
  void flush();

  KeysWriter<Rest> writer_;
  KeysHeader header_;
  std::size_t room_;  // keys per partition
  RollingNumber<NgramNumber<Rest>> rolling_;
  PageArray<Rest> keys_;
  std::array<std::uint32_t, kPartitions> sizes_{};
};

using KeyPartitioner = Partitioner<std::uint32_t>;

// Runs of the same partitions that are read side by side.
template <class Rest>
class KeyRuns {
 public:
  // Memory of a run beside its buffer.
  static constexpr std::size_t kBytesPerRun = sizeof(std::uint32_t) * kPartitions + 4096;

  // Opens runs of `partitions` partitions.
  KeyRuns(const std::vector<KeySource>& sources, std::size_t partitions, std::size_t buffer_bytes);
  // Keys of all runs in each partition.
  const std::vector<std::size_t>& sizes() const noexcept { return sizes_; }
  // Reads the next partition of all runs.
  void read(Rest* keys);
  // Reads it in pieces that fit the cache, and calls take(keys, count) for each.
  template <class Take>
  void read_pieces(Take take) {
    std::array<Rest, kPiece> piece;
    for (Run& run : runs_) {
      for (std::size_t left = run.counts[next_]; left != 0;) {
        const std::size_t count = std::min(left, kPiece);
        run.file.read(piece.data(), count * sizeof(Rest));
        take(piece.data(), count);
        left -= count;
      }
    }
    ++next_;
  }
  // Must be called after the last partition: compares the checksums.
  void finish();

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 10;
  struct Run {
    FileReader file;
    KeySpan span;
    std::vector<std::uint32_t> counts;
  };
  std::vector<Run> runs_;
  std::vector<std::size_t> sizes_;
  std::size_t next_ = 0;
};

// Merges runs of keys of `partitions` partitions into one, in the file `output`. Each run takes `buffer_bytes`, 20 kB,
// and an open file.
template <class Rest>
void merge_keys(const std::vector<KeySource>& sources, std::size_t partitions, const std::string& output,
                std::size_t buffer_bytes);

// Finds keys that occur twice or more. Its table is filled again for each few keys and has only keys and one bit each,
// so that it stays in the second-level cache; that keeps it apart from KeyTable.
template <class Key>
class RepeatedKeys {
 public:
  static constexpr std::size_t kTableBytes = std::size_t{1} << 19;

  RepeatedKeys() : table_(kTableBytes / sizeof(Key)), repeated_(table_.size() / 64) {}
  // Calls visit(key, again) for each key that is equal to one before it; `again`: this is at least the third of them.
  // Puts the keys in another order; takes no memory beside the table.
  template <class Visit>
  void find(Key* keys, std::size_t size, Visit visit, unsigned bits = 8 * sizeof(Key)) {
    if (size <= table_.size() / 2) return find_among_few(keys, size, visit);
    if (bits == 0) {  // all are equal
      for (std::size_t i = 1; i < size; ++i) visit(keys[0], i > 1);
      return;
    }
    const auto digit = [shift = bits - 8](Key key) { return static_cast<std::size_t>(key >> shift) & 0xFF; };
    const auto ends = distribute(keys, size, digit);
    for (std::size_t d = 0; d < 256; ++d) {
      const std::size_t first = d == 0 ? 0 : ends[d - 1];
      find(keys + first, ends[d] - first, visit, bits - 8);
    }
  }

 private:
  template <class Visit>
  void find_among_few(const Key* keys, std::size_t size, Visit visit) {
    if (size < 2) return;
    const int bits = std::max(10, static_cast<int>(std::bit_width(2 * size - 1)));
    const std::size_t mask = (std::size_t{1} << bits) - 1;
    std::fill_n(table_.begin(), mask + 1, 0);
    std::fill_n(repeated_.begin(), (mask + 1) / 64, 0);
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const Key key = keys[i];
      if (key == 0) {  // 0 marks an empty slot
        if (zeros++ != 0) visit(key, zeros > 2);
        continue;
      }
      std::size_t slot = key & mask;
      while (table_[slot] != 0 && table_[slot] != key) slot = (slot + 1) & mask;
      if (table_[slot] == 0) {
        table_[slot] = key;
      } else {
        const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
        visit(key, (repeated_[slot / 64] & bit) != 0);
        repeated_[slot / 64] |= bit;
      }
    }
  }

  std::vector<Key> table_;
  std::vector<std::uint64_t> repeated_;  // one bit per slot
};

struct CandidateTotals {
  std::uint64_t keys = 0;        // all keys that were counted
  std::uint64_t candidates = 0;  // distinct keys that occur twice or more
};

// Consecutive partitions with all their keys.
struct KeyGroup {
  PageArray<std::uint32_t> keys;
  std::vector<std::size_t> sizes;  // one per partition
};

// Finds the keys of partitions that occur twice or more, and makes a filter of them. For one thread at a time.
class PartitionCounter {
 public:
  // Of the tables that do not grow with the keys.
  static constexpr std::size_t kTables = std::size_t{2} << 20;
  // Bytes that it may take for groups of up to `group` keys, whose largest partition has `largest` of them: where every
  // key is there twice, half of them are candidates.
  static std::size_t bytes_for(std::size_t group, std::size_t largest) noexcept;
  // Reserves them, so that arrays never grow by doubling. Only what is used takes memory.
  void reserve(std::size_t group, std::size_t largest, std::size_t partitions);
  // Counts each partition of a group, whose keys change their order.
  void count(const KeyGroup& group);
  // The filters of the partitions counted last, one after another, and where each filter ends.
  const std::vector<std::uint64_t>& cells() const noexcept { return cells_; }
  const std::vector<std::size_t>& ends() const noexcept { return ends_; }
  // The candidates of these partitions.
  std::uint64_t candidates() const noexcept { return candidates_; }

 private:
  RepeatedKeys<std::uint32_t> repeated_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint64_t> cells_;
  std::vector<std::size_t> ends_;
  std::uint64_t candidates_ = 0;
};

// Counts the keys of all runs, partition by partition, and writes the filter of those that occur twice or more. A part
// of the corpus has its range of the partitions (first_partition); the filters of the others are empty.
class CandidateCounter {
 public:
  // A thread counts about this many keys at a time; it is started for each group of partitions.
  static constexpr std::size_t kGroupKeys = std::size_t{1} << 18;
  // Returns the memory beside the runs, if the largest partition has `largest` keys.
  static std::size_t bytes_for(std::size_t largest, std::size_t threads) noexcept;

  // Counts in `threads` (>= 1) threads. With two or more, the calling thread reads at the same time. The result does
  // not depend on the number of threads. The runs have the partitions of `part` of `parts`.
  CandidateCounter(const std::vector<KeySource>& sources, std::size_t buffer_bytes, const std::string& output,
                   std::uint64_t n, std::uint64_t selection, std::size_t threads, std::size_t part, std::size_t parts);
  // Keys of the largest partition.
  std::size_t largest() const noexcept { return largest_; }
  // Counts the next partitions. Returns false once after the last, when the file is complete.
  bool advance();
  const CandidateTotals& totals() const noexcept { return totals_; }

 private:
  void read(KeyGroup& group);
  void write(const PartitionCounter& counter);
  void finish();
  KeyRuns<std::uint32_t> runs_;
  FileWriter output_;
  std::uint64_t n_, selection_;
  std::size_t largest_ = 0, next_ = 0;      // partition of the part
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

// Joins the filters of the parts of a corpus, in their order: the file that CandidateCounter writes of one part.
void join_candidates(const std::vector<std::string>& parts, const std::string& output);

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
