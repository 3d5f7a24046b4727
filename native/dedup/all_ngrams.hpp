// Counts all n-grams that occur twice or more, without sorting them: their keys are partitioned (key_partitions.hpp)
// and counted partition by partition.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/page_array.hpp"
#include "common/word_table.hpp"
#include "dedup/key_partitions.hpp"
#include "dedup/word_list.hpp"
#include "text/vertical.hpp"

namespace corpusprep::ngrams {

// Writes the long keys of all n-grams of a vertical.
class NgramPartitioner {
 public:
  // Memory per key of the capacity.
  static constexpr std::size_t kBytesPerKey = sizeof(std::uint64_t);

  // As Partitioner; 1 <= n <= kLongestNgram, 1 <= parts.
  NgramPartitioner(const std::string& path, std::uint32_t n, std::size_t capacity, DocumentMask mask,
                   std::uint32_t parts);
  NgramPartitioner(const NgramPartitioner&) = delete;
  NgramPartitioner& operator=(const NgramPartitioner&) = delete;

  void feed(std::string_view chunk);
  // Must be called after the last chunk of the vertical. Completes the file.
  void finish();
  // Documents so far, whether selected or not.
  std::uint64_t documents() const noexcept { return documents_; }

  void document_begin() noexcept { taken_ = mask_[documents_++]; }
  void document_end();
  void block_begin() noexcept {}
  void token(std::string_view word) {
    if (!taken_) return;
    word_keys_[waiting_++] = TableWord::of(word, std::max(bytes_ahead(chunk_, word), word.size())).key;
    if (waiting_ == word_keys_.size()) drain();
  }

 private:
  void drain();

  DocumentMask mask_;
  Partitioner<std::uint64_t> keys_;
  std::array<std::uint64_t, Partitioner<std::uint64_t>::kMost> word_keys_;
  std::size_t waiting_ = 0;
  std::string_view chunk_;
  std::uint64_t documents_ = 0;
  bool taken_ = false;
  VerticalReader<NgramPartitioner> reader_;
};

struct RepeatedTotals {
  std::uint64_t types = 0;      // keys that occur twice or more
  std::uint64_t instances = 0;  // of these
};

// Counts the long keys of runs that occur twice or more, partition by partition. If a partition does not fit the
// memory, the keys are divided into slices by value, and all runs are read once per slice.
class RepeatedNgramCounter {
 public:
  // Returns the memory beside the runs, if the largest partition has `largest` keys.
  static std::size_t bytes_for(std::size_t largest, std::size_t slices) noexcept;

  // Counts runs of `partitions` partitions in `slices` (>= 1) slices. The result does not depend on their number.
  RepeatedNgramCounter(std::vector<KeySource> sources, std::size_t partitions, std::size_t buffer_bytes,
                       std::size_t slices);
  // Counts some more partitions. Returns false once after the last of the last slice.
  bool advance();
  const RepeatedTotals& totals() const noexcept { return totals_; }

 private:
  static constexpr std::size_t kStep = 64;
  // Keys that a slice of a partition of `largest` keys has room for. Keys are random bits; frequent ones are left out.
  static std::size_t room_for(std::size_t largest, std::size_t slices) noexcept;
  void open();
  std::size_t read_slice();
  void make_room();

  std::vector<KeySource> sources_;
  std::size_t partitions_, buffer_bytes_, slices_;
  std::unique_ptr<KeyRuns<std::uint64_t>> runs_;
  PageArray<std::uint64_t> keys_;
  RepeatedKeys<std::uint64_t> repeated_;
  std::size_t slice_ = 0, partition_ = 0, held_ = 0;
  RepeatedTotals totals_;
};

}  // namespace corpusprep::ngrams
