#include "dedup/merge.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace corpusprep::ngrams {

namespace {

constexpr std::uint64_t kExhausted = ~std::uint64_t{0};

// Returns whether two codes are equal in the groups that both have.
bool agree(const NgramCode& a, const NgramCode& b) noexcept {
  const std::size_t groups = std::min(a.used_groups(), b.used_groups());
  for (std::size_t g = 0; g < groups; ++g) {
    if (a.groups[g] != b.groups[g]) return false;
  }
  return true;
}

}  // namespace

bool RunMerger::Less::operator()(std::size_t a, std::size_t b) const noexcept {
  if (merger->heads_[a] != merger->heads_[b]) return merger->heads_[a] < merger->heads_[b];
  const NgramCode& left = merger->runs_[a].code();
  const NgramCode& right = merger->runs_[b].code();
  const std::size_t groups = std::min(left.used_groups(), right.used_groups());
  for (std::size_t g = 1; g < groups; ++g) {
    if (left.groups[g] != right.groups[g]) return left.groups[g] < right.groups[g];
  }
  return false;
}

RunMerger::RunMerger(const std::vector<RunSource>& sources, std::uint32_t n, std::size_t buffer_bytes)
    : heads_(sources.size()) {
  runs_.reserve(sources.size());
  for (const auto& source : sources) runs_.emplace_back(source.path, source.span, n, buffer_bytes);
  for (std::size_t i = 0; i < runs_.size(); ++i) advance(i);
  order_ = std::make_unique<Tournament<Less>>(runs_.size(), Less{this});
}

void RunMerger::advance(std::size_t source) {
  RunReader& run = runs_[source];
  heads_[source] = kExhausted;
  if (!run.next()) return;
  heads_[source] = run.code().groups[0];
  if (heads_[source] == kExhausted) run.damaged("an n-gram in it is damaged");
}

void RunMerger::blame() {
  for (auto& run : runs_) {
    while (run.next()) {
    }
  }
  throw std::runtime_error("the runs contain n-grams that do not belong to their lexicon");
}

bool RunMerger::repeats(std::size_t source) {
  if (heads_[source] != code_.groups[0]) return false;
  const NgramCode& code = runs_[source].code();
  if (!agree(code, code_)) return false;
  // If both have n ids, neither code is a prefix of the other.
  if (code.bytes != code_.bytes) blame();
  return true;
}

bool RunMerger::next() {
  if (runs_.empty()) return false;
  std::size_t source = order_->first();
  if (heads_[source] == kExhausted) return false;
  const NgramCode& first = runs_[source].code();
  std::copy_n(first.groups.begin(), first.used_groups(), code_.groups.begin());
  code_.bytes = first.bytes;
  count_ = 0;
  do {
    count_ += runs_[source].count();
    ++entries_;
    advance(source);
    order_->replay();
    source = order_->first();
  } while (repeats(source));
  return true;
}

void merge_runs(const std::vector<RunSource>& sources, std::uint32_t n, const std::string& output,
                std::size_t buffer_bytes) {
  RunMerger merger(sources, n, buffer_bytes);
  RunsWriter writer(output);
  writer.start_run();
  while (merger.next()) writer.add(merger.code(), merger.count());
  writer.finish_run();
  RunsHeader header;
  header.n = n;
  writer.finish(header);
}

DuplicateCollector::DuplicateCollector(const std::vector<RunSource>& sources, std::uint32_t n, std::size_t buffer_bytes,
                                       std::vector<std::uint64_t> word_keys, std::size_t capacity, std::string spill)
    : merger_(std::make_unique<RunMerger>(sources, n, buffer_bytes)),
      n_(n),
      buffer_bytes_(buffer_bytes),
      maker_(n, std::move(word_keys)),
      capacity_(capacity),
      keys_(capacity),
      spill_path_(std::move(spill)) {}

bool DuplicateCollector::advance(std::uint64_t entries) {
  if (!merger_) return false;
  const std::uint64_t until = merger_->entries() + entries;
  while (merger_->entries() < until) {
    if (!merger_->next()) return false;
    if (merger_->count() < 2) continue;
    const auto collect = [this](const std::uint64_t* words, std::uint64_t count) { add(words, count); };
    if (!maker_.take(merger_->code(), merger_->count(), collect)) merger_->blame();
  }
  return true;
}

void DuplicateCollector::add(const std::uint64_t* words, std::uint64_t count) {
  if (size_ == capacity_) spill();
  keys_[size_++] = {ngram_key(words, n_), count};
}

void DuplicateCollector::sort() noexcept {
  std::sort(keys_.get(), keys_.get() + size_, [](const Key& a, const Key& b) { return a.key < b.key; });
}

void DuplicateCollector::spill() {
  if (!spill_) spill_ = std::make_unique<FileWriter>(spill_path_, 0);
  sort();
  spill_->append(keys_.get(), size_ * sizeof(Key));
  spilled_.push_back(std::exchange(size_, 0));
}

// Calls visit for distinct keys in ascending order. The merge gives each n-gram once, so equal keys belong to different
// n-grams.
template <class Visit>
void DuplicateCollector::each_key(Visit visit) {
  Key current{};
  std::uint64_t ngrams = 0;
  const auto take = [&](const Key& key) {
    if (ngrams != 0 && key.key == current.key) {
      current.count += key.count;
      ++ngrams;
      return;
    }
    if (ngrams != 0) visit(current, ngrams);
    current = key;
    ngrams = 1;
  };
  if (spilled_.empty()) {
    for (std::size_t i = 0; i < size_; ++i) take(keys_[i]);
  } else {
    std::vector<FileReader> parts;
    std::vector<Key> next(spilled_.size());
    std::vector<std::uint8_t> going(spilled_.size());
    const auto advance = [&](std::size_t part) {
      going[part] = parts[part].left() != 0;
      if (going[part] != 0) parts[part].read(&next[part], sizeof(Key));
    };
    parts.reserve(spilled_.size());
    // All parts together take no more than the keys did, which have been freed.
    const std::size_t buffer = std::min(buffer_bytes_, capacity_ * sizeof(Key) / spilled_.size());
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < spilled_.size(); ++i) {
      parts.emplace_back(spill_path_, buffer);
      parts[i].start_section(offset, spilled_[i] * sizeof(Key));
      offset += spilled_[i] * sizeof(Key);
      advance(i);
    }
    Tournament order(parts.size(), [&](std::size_t a, std::size_t b) {
      return going[a] != 0 && (going[b] == 0 || next[a].key < next[b].key);
    });
    while (going[order.first()] != 0) {
      take(next[order.first()]);
      advance(order.first());
      order.replay();
    }
  }
  if (ngrams != 0) visit(current, ngrams);
}

DuplicateTotals DuplicateCollector::write(const std::string& path, std::size_t header_bytes) {
  merger_.reset();
  maker_.finish([this](const std::uint64_t* words, std::uint64_t count) { add(words, count); });
  if (spilled_.empty()) {
    sort();
  } else {
    spill();
    spill_->close();
    keys_.release();
  }
  FileWriter file(path, header_bytes);
  DuplicateTotals totals;
  each_key([&](const Key& key, std::uint64_t ngrams) {
    file.append(&key.key, sizeof key.key);
    ++totals.keys;
    totals.instances += key.count;
    totals.collisions += ngrams - 1;
  });
  each_key([&](const Key& key, std::uint64_t) {
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(key.count, std::numeric_limits<std::uint32_t>::max()));
    file.append(&count, sizeof count);
  });
  totals.checksum = file.section_checksum();
  file.close();
  keys_.release();
  return totals;
}

std::vector<CheckedKey> DuplicateCollector::places(const std::vector<RunSource>& sources, const std::uint64_t* keys,
                                                   std::size_t count, std::size_t expected) {
  std::vector<CheckedKey> own;
  if (count == 0) return own;
  own.reserve(expected);
  const auto take = [&, first = keys[0], last = keys[count - 1]](const std::uint64_t* words, std::uint64_t) {
    const std::uint64_t key = ngram_key(words, n_);
    if (key >= first && key <= last) own.push_back({key, ngram_check(words, n_)});
  };
  for (const auto& [path, span] : sources) {
    RunReader run(path, span, n_, buffer_bytes_);
    while (run.next()) {
      if (!maker_.take(run.code(), run.count(), take)) run.damaged("it does not belong to its lexicon");
    }
  }
  maker_.finish(take);
  std::ranges::sort(own);
  // NOLINTNEXTLINE(modernize-use-ranges): Clang 14 does not compile std::ranges::unique of GCC's library.
  own.erase(std::unique(own.begin(), own.end()), own.end());
  // Each place replaces the key that has it. The step doubles until it is not before the key.
  const std::uint64_t *next = keys, *const end = keys + count;
  std::size_t found = 0;
  for (const CheckedKey& wanted : own) {
    std::ptrdiff_t step = 1;
    while (step < end - next && next[step] < wanted.key) step *= 2;
    next = std::lower_bound(next + step / 2, next + std::min(step + 1, end - next), wanted.key);
    if (next == end) break;
    if (*next == wanted.key) own[found++] = {static_cast<std::uint64_t>(next - keys), wanted.check};
  }
  own.resize(found);
  return own;
}

}  // namespace corpusprep::ngrams
