#include "dedup/key_partitions.hpp"

#include <algorithm>
#include <bit>
#include <future>
#include <utility>

namespace corpusprep::ngrams {

namespace {

constexpr FileFormat kKeysFormat{"CPNGKEYS", 1, "a file of n-gram keys"};
constexpr FileFormat kCandidatesFormat{"CPCANDID", 1, "a filter of candidates"};
constexpr std::size_t kPartitions = PartitionKey::kPartitions;
// Up to this many keys are counted in one table of half a megabyte, which fits the second-level cache.
constexpr std::size_t kTableBits = 17;
constexpr std::size_t kFew = std::size_t{1} << (kTableBits - 1);

}  // namespace

KeysHeader read_keys_header(const std::string& path) {
  FileReader file(path);
  const auto fields = file.header(kKeysFormat).fields;
  return {fields[0], fields[1], file.index<KeySpan>({fields[2], fields[3], fields[4]})};
}

void KeysWriter::start_run(const std::array<std::uint32_t, kPartitions>& counts) {
  file_.start_section();
  runs_.push_back({file_.position(), 0, 0});
  for (const std::uint32_t count : counts) runs_.back().keys += count;
  file_.append(counts.data(), sizeof counts);
}

void KeysWriter::finish_run() { runs_.back().checksum = file_.section_checksum(); }

void KeysWriter::finish(std::uint64_t n, std::uint64_t selection) {
  const FileIndex index = file_.index(runs_);
  file_.finish(kKeysFormat, {n, selection, index.rows, index.offset, index.checksum});
}

KeyPartitioner::KeyPartitioner(const std::string& path, std::uint32_t n, std::size_t capacity, std::uint64_t selection)
    : writer_(path),
      n_(n),
      selection_(selection),
      room_(capacity / kPartitions),
      rolling_(n),
      keys_(room_ * kPartitions) {}

void KeyPartitioner::make_room(std::size_t partition) {
  // The partition may be full of a few very frequent n-grams. Two keys of each are enough.
  std::uint32_t* const first = keys_.get() + partition * room_;
  std::uint32_t* const last = first + room_;
  std::sort(first, last);
  std::uint32_t* end = first;
  for (const std::uint32_t* key = first; key != last; ++key) {
    if (end - first < 2 || end[-2] != *key) *end++ = *key;
  }
  sizes_[partition] = static_cast<std::uint32_t>(end - first);
  if (sizes_[partition] > room_ / 2) flush();
}

void KeyPartitioner::flush() {
  writer_.start_run(sizes_);
  for (std::size_t p = 0; p < kPartitions; ++p) writer_.add(keys_.get() + p * room_, sizes_[p]);
  writer_.finish_run();
  sizes_.fill(0);
}

void KeyPartitioner::finish() {
  if (std::ranges::any_of(sizes_, [](std::uint32_t size) { return size != 0; })) flush();
  writer_.finish(n_, selection_);
}

namespace {

// Opens the runs and reads their counts.
template <class Run>
std::vector<Run> opened(const std::vector<KeySource>& sources, std::size_t buffer_bytes) {
  std::vector<Run> runs;
  runs.reserve(sources.size());
  for (const auto& [path, span] : sources) {
    Run& run = runs.emplace_back(Run{FileReader(path, buffer_bytes), span, std::vector<std::uint32_t>(kPartitions)});
    run.file.start_section(span.offset, span.bytes());
    run.file.read(run.counts.data(), kPartitions * sizeof(std::uint32_t));
    std::uint64_t keys = 0;
    for (const std::uint32_t count : run.counts) keys += count;
    if (keys != span.keys) run.file.damaged("its index is damaged");
  }
  return runs;
}

}  // namespace

void merge_keys(const std::vector<KeySource>& sources, const std::string& output, std::size_t buffer_bytes) {
  struct Run {
    FileReader file;
    KeySpan span;
    std::vector<std::uint32_t> counts;
  };
  auto runs = opened<Run>(sources, buffer_bytes);
  std::array<std::uint32_t, kPartitions> counts{};
  for (const Run& run : runs) {
    for (std::size_t p = 0; p < kPartitions; ++p) {
      if (counts[p] + std::uint64_t{run.counts[p]} > 0xFFFFFFFF)
        throw std::length_error("a partition has 2^32 keys or more: the corpus is too large");
      counts[p] += run.counts[p];
    }
  }
  KeysWriter writer(output);
  writer.start_run(counts);
  std::array<std::uint32_t, 1024> piece;
  for (std::size_t p = 0; p < kPartitions; ++p) {
    for (Run& run : runs) {
      for (std::size_t left = run.counts[p]; left != 0;) {
        const std::size_t count = std::min(left, piece.size());
        run.file.read(piece.data(), count * sizeof piece[0]);
        writer.add(piece.data(), count);
        left -= count;
      }
    }
  }
  for (Run& run : runs) run.file.finish_section(run.span.checksum);
  writer.finish_run();
  writer.finish(0, 0);
}

PartitionCounter::PartitionCounter(std::size_t largest)
    : table_(std::size_t{1} << kTableBits), repeated_(table_.size() / 64) {
  if (largest > kFew) scattered_.resize(largest);
}

void PartitionCounter::count(const KeyGroup& group) {
  cells_.clear();
  ends_.clear();
  candidates_ = 0;
  const std::uint32_t* keys = group.keys.get();
  for (const std::size_t size : group.sizes) {
    found_.clear();
    find(keys, size);
    keys += size;
    const std::size_t start = cells_.size();
    const std::size_t cells = std::max<std::size_t>(1, (found_.size() * CandidateFilter::kBitsPerKey + 63) / 64);
    cells_.resize(start + cells);
    for (const std::uint32_t key : found_) {
      cells_[start + CandidateFilter::cell_of(key, cells)] |= CandidateFilter::bits_of(key);
    }
    ends_.push_back(cells_.size());
    candidates_ += found_.size();
  }
}

void PartitionCounter::find_among_few(const std::uint32_t* keys, std::size_t size) {
  if (size < 2) return;
  const int bits = std::max(10, static_cast<int>(std::bit_width(2 * size - 1)));
  const std::size_t mask = (std::size_t{1} << bits) - 1;
  std::fill_n(table_.begin(), mask + 1, 0);
  std::fill_n(repeated_.begin(), (mask + 1) / 64, 0);
  bool zero = false, zeros = false;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t key = keys[i];
    if (key == 0) {  // 0 marks an empty slot
      if (zero && !std::exchange(zeros, true)) found_.push_back(0);
      zero = true;
      continue;
    }
    std::size_t slot = key & mask;
    while (table_[slot] != 0 && table_[slot] != key) slot = (slot + 1) & mask;
    if (table_[slot] == 0) {
      table_[slot] = key;
    } else {
      const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
      if ((repeated_[slot / 64] & bit) == 0) found_.push_back(key);
      repeated_[slot / 64] |= bit;
    }
  }
}

void PartitionCounter::find(const std::uint32_t* keys, std::size_t size) {
  if (size <= kFew) return find_among_few(keys, size);
  // Distributed by the highest bits first, so that each part fits the table.
  const auto bits = static_cast<unsigned>(std::clamp<std::size_t>(std::bit_width(size / (kFew / 2)), 1, 10));
  std::array<std::size_t, 1025> starts{};
  for (std::size_t i = 0; i < size; ++i) ++starts[(keys[i] >> (32 - bits)) + 1];
  const std::size_t parts = std::size_t{1} << bits;
  for (std::size_t part = 1; part <= parts; ++part) starts[part] += starts[part - 1];
  std::array<std::size_t, 1025> next = starts;
  for (std::size_t i = 0; i < size; ++i) scattered_[next[keys[i] >> (32 - bits)]++] = keys[i];
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint32_t* const first = scattered_.get() + starts[part];
    std::uint32_t* last = scattered_.get() + starts[part + 1];
    if (std::cmp_greater(last - first, kFew)) {
      // The table is too small: there are too many different keys, or too many equal ones.
      std::sort(first, last);
      for (std::uint32_t* key = first; key + 1 < last; ++key) {
        if (key[0] == key[1] && (key == first || key[-1] != key[0])) found_.push_back(*key);
      }
    } else {
      find_among_few(first, static_cast<std::size_t>(last - first));
    }
  }
}

std::size_t CandidateCounter::bytes_for(std::size_t largest, std::size_t threads) noexcept {
  constexpr std::size_t kKey = sizeof(std::uint32_t);
  constexpr std::size_t kTables = std::size_t{2} << 20;
  const std::size_t group = std::max(largest, kGroupKeys);
  // A candidate occurs twice or more and takes two bytes of the filter, whose array may be twice as large as its
  // content.
  const std::size_t counter = kTables + largest * kKey + largest / 2 * kKey + group / 2 * 2 * 2;
  return threads * counter + (threads == 1 ? 1 : 2 * threads) * group * kKey;
}

CandidateCounter::CandidateCounter(const std::vector<KeySource>& sources, std::size_t buffer_bytes,
                                   const std::string& output, std::uint64_t n, std::uint64_t selection,
                                   std::size_t threads)
    : runs_(opened<Run>(sources, buffer_bytes)), output_(output), n_(n), selection_(selection), sizes_(kPartitions) {
  for (std::size_t p = 0; p < kPartitions; ++p) {
    for (const Run& run : runs_) sizes_[p] += run.counts[p];
    largest_ = std::max(largest_, sizes_[p]);
    totals_.keys += sizes_[p];
  }
  counters_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) counters_.emplace_back(largest_);
  counted_.resize(threads);
  read_.resize(threads == 1 ? 0 : threads);
  for (auto* groups : {&counted_, &read_}) {
    for (KeyGroup& group : *groups) group.keys.resize(std::max(largest_, kGroupKeys));
  }
  index_.push_back(0);
  for (KeyGroup& group : read_) read(group);
}

void CandidateCounter::read(KeyGroup& group) {
  group.sizes.clear();
  for (std::size_t size = 0; partition_ != kPartitions && size + sizes_[partition_] <= group.keys.size();
       ++partition_) {
    for (Run& run : runs_) {
      run.file.read(group.keys.get() + size, run.counts[partition_] * sizeof(std::uint32_t));
      size += run.counts[partition_];
    }
    group.sizes.push_back(sizes_[partition_]);
  }
}

void CandidateCounter::write(const PartitionCounter& counter) {
  output_.append(counter.cells().data(), counter.cells().size() * sizeof(std::uint64_t));
  const std::uint64_t before = index_.back();
  for (const std::size_t end : counter.ends()) index_.push_back(before + end);
  totals_.candidates += counter.candidates();
}

bool CandidateCounter::advance() {
  if (counters_.size() == 1) {
    read(counted_.front());
    if (counted_.front().sizes.empty()) {
      finish();
      return false;
    }
    counters_.front().count(counted_.front());
    write(counters_.front());
    return true;
  }
  counted_.swap(read_);
  if (counted_.front().sizes.empty()) {
    finish();
    return false;
  }
  std::vector<std::future<void>> counting;
  counting.reserve(counters_.size());
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    counting.push_back(std::async(std::launch::async, [this, i] { counters_[i].count(counted_[i]); }));
  }
  for (KeyGroup& group : read_) read(group);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    counting[i].get();
    write(counters_[i]);
  }
  return true;
}

void CandidateCounter::finish() {
  for (Run& run : runs_) run.file.finish_section(run.span.checksum);
  const std::uint64_t checksum = output_.section_checksum();
  const FileIndex index = output_.index(index_);
  output_.finish(kCandidatesFormat, {n_, selection_, totals_.candidates, index_.back(), checksum, index.checksum});
}

namespace {

CandidatesHeader header_of(FileReader& file, std::array<std::uint64_t, 2>& checksums) {
  const auto fields = file.header(kCandidatesFormat).fields;
  const CandidatesHeader header{fields[0], fields[1], fields[2], fields[3]};
  const std::uint64_t rest = (kPartitions + 1) * sizeof(std::uint64_t);
  if (file.size() < FileHeader::kBytes + rest ||
      header.cells != (file.size() - FileHeader::kBytes - rest) / sizeof(std::uint64_t)) {
    file.wrong_length();
  }
  checksums = {fields[4], fields[5]};
  return header;
}

std::vector<std::uint64_t> read_index(FileReader& file, const CandidatesHeader& header, std::uint64_t checksum) {
  const std::uint64_t offset = FileHeader::kBytes + header.cells * sizeof(std::uint64_t);
  const auto index = file.index<std::uint64_t>({kPartitions + 1, offset, checksum});
  if (index.front() != 0 || index.back() != header.cells || !std::ranges::is_sorted(index)) {
    file.damaged("its index is damaged");
  }
  return index;
}

}  // namespace

CandidatesHeader read_candidates_header(const std::string& path) {
  FileReader file(path);
  std::array<std::uint64_t, 2> checksums;
  return header_of(file, checksums);
}

std::vector<std::uint64_t> CandidateFilter::index(const std::string& path) {
  FileReader file(path);
  std::array<std::uint64_t, 2> checksums;
  const CandidatesHeader header = header_of(file, checksums);
  return read_index(file, header, checksums[1]);
}

CandidateFilter::CandidateFilter(const std::string& path, std::size_t first, std::size_t end) {
  FileReader file(path);
  std::array<std::uint64_t, 2> checksums;
  const CandidatesHeader header = header_of(file, checksums);
  const auto index = read_index(file, header, checksums[1]);
  // One more empty cell stands for all partitions that are not held.
  const std::uint64_t held = index[end] - index[first];
  if (held >= 0xFFFFFFFF) throw std::length_error("the filter takes 32 GB or more; load fewer partitions at a time");
  cells_.resize(held + 1);
  parts_.assign(kPartitions, {static_cast<std::uint32_t>(held), 1});
  for (std::size_t p = first; p < end; ++p) {
    parts_[p] = {static_cast<std::uint32_t>(index[p] - index[first]),
                 static_cast<std::uint32_t>(index[p + 1] - index[p])};
  }
  // All cells are read, also those that are not held, so that a damaged file is noticed.
  file.start_section(FileHeader::kBytes, header.cells * sizeof(std::uint64_t));
  std::vector<std::uint64_t> passed(1 << 12);
  const auto pass_over = [&](std::uint64_t cells) {
    while (cells != 0) {
      const std::uint64_t count = std::min<std::uint64_t>(cells, passed.size());
      file.read(passed.data(), count * sizeof passed[0]);
      cells -= count;
    }
  };
  pass_over(index[first]);
  file.read(cells_.get(), held * sizeof(std::uint64_t));
  pass_over(header.cells - index[end]);
  file.finish_section(checksums[0]);
}

}  // namespace corpusprep::ngrams
