#include "dedup/key_partitions.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <future>
#include <numeric>
#include <utility>

namespace corpusprep::ngrams {

namespace {

constexpr FileFormat kCandidatesFormat{"CPCANDID", 1, "a filter of candidates"};

template <class Rest>
constexpr FileFormat kKeysFormat{"CPNGKEYS", 2, "a file of n-gram keys"};
template <>
constexpr FileFormat kKeysFormat<std::uint64_t>{"CPALLKEY", 1, "a file of long n-gram keys"};

// Writes what follows the cells of a filter: the number of cells before each partition, and the header.
void finish_candidates(FileWriter& file, const CandidatesHeader& header, const std::vector<std::uint64_t>& index) {
  const std::uint64_t checksum = file.section_checksum();
  const std::uint64_t of_index = file.index(index).checksum;
  file.finish(kCandidatesFormat, {header.n, header.selection, header.candidates, header.cells, checksum, of_index});
}

// Reads the number of keys of each partition at the beginning of a run, whose section was started.
std::vector<std::uint32_t> read_counts(FileReader& file, const KeySpan& span, std::size_t partitions) {
  std::vector<std::uint32_t> counts(partitions);
  file.read(counts.data(), partitions * sizeof(std::uint32_t));
  if (std::reduce(counts.begin(), counts.end(), std::uint64_t{0}) != span.keys) file.damaged("its index is damaged");
  return counts;
}

}  // namespace

template <class Rest>
KeysHeader read_keys_header(const std::string& path) {
  FileReader file(path);
  const auto [n, selection, rows, offset, checksum, parts, left_out, tokens, f8, f9, f10, f11, f12] =
      file.header(kKeysFormat<Rest>).fields;
  if (parts == 0 || rows % parts != 0) file.damaged("its header is damaged");
  return {n, selection, parts, left_out, tokens, file.index<KeySpan>({rows, offset, checksum})};
}

std::uint64_t largest_partition(const std::vector<KeySource>& sources, std::size_t partitions) {
  std::vector<std::uint64_t> sizes(partitions + 1);  // one more, so that there is a largest one
  for (const auto& [path, span] : sources) {
    FileReader file(path, FileReader::kLookahead);
    file.start_section(span.offset, partitions * sizeof(std::uint32_t));
    const std::vector<std::uint32_t> counts = read_counts(file, span, partitions);
    for (std::size_t p = 0; p < partitions; ++p) sizes[p] += counts[p];
  }
  return *std::ranges::max_element(sizes);
}

template <class Rest>
void KeysWriter<Rest>::start_run(std::span<const std::uint32_t> counts) {
  file_.start_section();
  runs_.push_back({file_.position(), 0, 0});
  for (const std::uint32_t count : counts) runs_.back().keys += count;
  file_.append(counts.data(), counts.size_bytes());
}

template <class Rest>
void KeysWriter<Rest>::finish_run() {
  runs_.back().checksum = file_.section_checksum();
}

template <class Rest>
void KeysWriter<Rest>::finish(const KeysHeader& header) {
  const FileIndex index = file_.index(runs_);
  file_.finish(kKeysFormat<Rest>, {header.n, header.selection, index.rows, index.offset, index.checksum, header.parts,
                                   header.left_out, header.tokens});
}

template <class Rest>
Partitioner<Rest>::Partitioner(const std::string& path, std::uint32_t n, std::size_t capacity, std::uint64_t selection,
                               std::uint32_t parts)
    : writer_(path),
      header_{n, selection, parts, 0, 0, {}},
      room_(capacity / kPartitions),
      rolling_(n),
      keys_(room_ * kPartitions) {}

template <class Rest>
void Partitioner<Rest>::make_room(std::size_t partition) {
  // The partition may be full of a few very frequent n-grams. Two keys of each are enough.
  Rest* const first = keys_.get() + partition * room_;
  std::sort(first, first + room_);
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < room_; ++i) {
    if (size < 2 || first[size - 2] != first[i]) first[size++] = first[i];
  }
  header_.left_out += room_ - size;
  sizes_[partition] = size;
  if (sizes_[partition] > room_ / 2) flush();
}

template <class Rest>
void Partitioner<Rest>::flush() {
  for (std::size_t part = 0; part < header_.parts; ++part) {
    const std::size_t first = first_partition(part, header_.parts), end = first_partition(part + 1, header_.parts);
    writer_.start_run(std::span(sizes_).subspan(first, end - first));
    for (std::size_t p = first; p < end; ++p) writer_.add(keys_.get() + p * room_, sizes_[p]);
    writer_.finish_run();
  }
  sizes_.fill(0);
}

template <class Rest>
void Partitioner<Rest>::finish() {
  if (std::ranges::any_of(sizes_, [](std::uint32_t size) { return size != 0; })) flush();
  writer_.finish(header_);
}

template <class Rest>
KeyRuns<Rest>::KeyRuns(const std::vector<KeySource>& sources, std::size_t partitions, std::size_t buffer_bytes)
    : sizes_(partitions) {
  runs_.reserve(sources.size());
  for (const auto& [path, span] : sources) {
    Run& run = runs_.emplace_back(Run{FileReader(path, buffer_bytes), span, {}});
    run.file.start_section(span.offset, partitions * sizeof(std::uint32_t) + span.keys * sizeof(Rest));
    run.counts = read_counts(run.file, span, partitions);
    for (std::size_t p = 0; p < partitions; ++p) sizes_[p] += run.counts[p];
  }
}

template <class Rest>
void KeyRuns<Rest>::read(Rest* keys) {
  for (Run& run : runs_) {
    run.file.read(keys, run.counts[next_] * sizeof(Rest));
    keys += run.counts[next_];
  }
  ++next_;
}

template <class Rest>
void KeyRuns<Rest>::finish() {
  for (Run& run : runs_) run.file.finish_section(run.span.checksum);
}

template <class Rest>
void merge_keys(const std::vector<KeySource>& sources, std::size_t partitions, const std::string& output,
                std::size_t buffer_bytes) {
  KeyRuns<Rest> runs(sources, partitions, buffer_bytes);
  std::vector<std::uint32_t> counts;
  counts.reserve(partitions);
  for (const std::size_t size : runs.sizes()) {
    if (size > 0xFFFFFFFF) throw std::length_error("a partition has 2^32 keys or more: the corpus is too large");
    counts.push_back(static_cast<std::uint32_t>(size));
  }
  KeysWriter<Rest> writer(output);
  writer.start_run(counts);
  for (std::size_t partition = 0; partition != counts.size(); ++partition) {
    runs.read_pieces([&](const Rest* keys, std::size_t count) { writer.add(keys, count); });
  }
  runs.finish();
  writer.finish_run();
  writer.finish({});
}

template KeysHeader read_keys_header<std::uint32_t>(const std::string&);
template KeysHeader read_keys_header<std::uint64_t>(const std::string&);
template class Partitioner<std::uint32_t>;
template class Partitioner<std::uint64_t>;
template class KeyRuns<std::uint32_t>;
template class KeyRuns<std::uint64_t>;
template void merge_keys<std::uint32_t>(const std::vector<KeySource>&, std::size_t, const std::string&, std::size_t);
template void merge_keys<std::uint64_t>(const std::vector<KeySource>&, std::size_t, const std::string&, std::size_t);

void PartitionCounter::count(const KeyGroup& group) {
  cells_.clear();
  ends_.clear();
  candidates_ = 0;
  std::uint32_t* keys = group.keys.get();
  for (const std::size_t size : group.sizes) {
    found_.clear();
    repeated_.find(keys, size, [&](std::uint32_t key, bool again) {
      if (!again) found_.push_back(key);
    });
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

std::size_t PartitionCounter::bytes_for(std::size_t group, std::size_t largest) noexcept {
  return kTables + largest / 2 * sizeof(std::uint32_t) + group / 2 * CandidateFilter::kBitsPerKey / 8;
}

void PartitionCounter::reserve(std::size_t group, std::size_t largest, std::size_t partitions) {
  found_.reserve(largest / 2);
  cells_.reserve(group / 2 * CandidateFilter::kBitsPerKey / 64 + partitions);
}

std::size_t CandidateCounter::bytes_for(std::size_t largest, std::size_t threads) noexcept {
  const std::size_t group = std::max(largest, kGroupKeys);
  const std::size_t groups = threads == 1 ? 1 : 2 * threads;
  return threads * PartitionCounter::bytes_for(group, largest) + groups * group * sizeof(std::uint32_t);
}

CandidateCounter::CandidateCounter(const std::vector<KeySource>& sources, std::size_t buffer_bytes,
                                   const std::string& output, std::uint64_t n, std::uint64_t selection,
                                   std::size_t threads, std::size_t part, std::size_t parts)
    : runs_(sources, first_partition(part + 1, parts) - first_partition(part, parts), buffer_bytes),
      output_(output),
      n_(n),
      selection_(selection),
      counters_(threads),
      index_(first_partition(part, parts) + 1) {
  for (const std::size_t size : runs_.sizes()) {
    largest_ = std::max(largest_, size);
    totals_.keys += size;
  }
  counted_.resize(threads);
  read_.resize(threads == 1 ? 0 : threads);
  const std::size_t room = std::max(largest_, kGroupKeys);
  for (auto* groups : {&counted_, &read_}) {
    for (KeyGroup& group : *groups) group.keys.resize(room);
  }
  for (PartitionCounter& counter : counters_) counter.reserve(room, largest_, runs_.sizes().size());
  for (KeyGroup& group : read_) read(group);
}

void CandidateCounter::read(KeyGroup& group) {
  group.sizes.clear();
  const auto& sizes = runs_.sizes();
  for (std::size_t size = 0; next_ != sizes.size() && size + sizes[next_] <= group.keys.size(); ++next_) {
    runs_.read(group.keys.get() + size);
    size += sizes[next_];
    group.sizes.push_back(sizes[next_]);
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
  runs_.finish();
  index_.resize(kPartitions + 1, index_.back());
  finish_candidates(output_, {n_, selection_, totals_.candidates, index_.back()}, index_);
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

void join_candidates(const std::vector<std::string>& parts, const std::string& output) {
  FileWriter writer(output);
  CandidatesHeader all;
  std::vector<std::uint64_t> sum(kPartitions + 1);
  std::vector<unsigned char> piece(std::size_t{1} << 18);
  for (std::size_t part = 0; part != parts.size(); ++part) {
    FileReader file(parts[part]);
    std::array<std::uint64_t, 2> checksums;
    const CandidatesHeader header = header_of(file, checksums);
    const auto index = read_index(file, header, checksums[1]);
    const std::uint64_t before = index[first_partition(part, parts.size())];
    const std::uint64_t end = index[first_partition(part + 1, parts.size())];
    if (before != 0 || end != header.cells) file.damaged("not the filter of this part");
    if (part != 0 && (header.n != all.n || header.selection != all.selection)) {
      file.damaged("not made with the settings of " + parts.front());
    }
    all = {header.n, header.selection, all.candidates + header.candidates, all.cells + header.cells};
    std::ranges::transform(sum, index, sum.begin(), std::plus<>());
    file.start_section(FileHeader::kBytes, header.cells * sizeof(std::uint64_t));
    while (file.left() != 0) {
      const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(file.left(), piece.size()));
      file.read(piece.data(), size);
      writer.append(piece.data(), size);
    }
    file.finish_section(checksums[0]);
  }
  finish_candidates(writer, all, sum);
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
