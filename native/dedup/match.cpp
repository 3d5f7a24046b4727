#include "dedup/match.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "common/hash.hpp"
#include "common/radix_sort.hpp"
#include "common/word_table.hpp"

namespace corpusprep::blocks {

namespace {

constexpr std::uint64_t kNone = ~0ULL;
constexpr std::size_t kRunPiece = 1 << 18;

}  // namespace

std::size_t KeyFilter::bytes_for(std::uint64_t keys, std::size_t most) noexcept {
  if (keys > (std::uint64_t{1} << 56)) return 0;
  const std::uint64_t bytes = std::min<std::uint64_t>(std::bit_ceil(keys * kBitsPerKey) / 8, std::bit_floor(most));
  return bytes >= 8 && bytes * 8 >= keys * kMinBitsPerKey ? bytes : 0;
}

KeyFilter::KeyFilter(std::size_t bytes) {
  if (bytes == 0) return;
  bits_.resize(bytes / sizeof(std::uint64_t));
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(bytes * 8));
}

Matcher::Matcher(const StreamHeader& header, bool count_punctuation, const std::vector<std::string>& stop_words,
                 DocumentTable documents, std::size_t capacity, std::size_t store_size, std::size_t filter_bytes)
    : header_(header),
      selection_(count_punctuation, stop_words),
      documents_(std::move(documents)),
      capacity_(capacity),
      store_size_(store_size),
      filter_(filter_bytes),
      reader_(*this) {
  // Reserved at once, so that growth never holds two copies. Memory that was not written to is not used.
  pairs_.reserve(capacity_ + kFeedSize / 2 + header_.n);
  scratch_.reserve(capacity_ + kFeedSize / 2 + header_.n);
  positions_.reserve(capacity_ + kFeedSize / 2 + header_.n);
  store_.reserve(store_size_);
}

void Matcher::filter(const std::uint64_t* keys, std::size_t count) noexcept {
  if (filter_.passes_all()) return;
  for (std::size_t i = 0; i < count; ++i) filter_.add(keys[i]);
}

void Matcher::feed(std::string_view vertical) {
  fed_ = vertical;
  reader_.feed(vertical);
  if (!skipping_) make_ngrams();
}

void Matcher::finish() {
  fed_ = {};
  // A compressed file that was cut short may end without any other sign.
  reader_.feed("\n");
  finishing_ = true;
  reader_.finish();
  if (next_document_ != documents_.kept.size()) {
    document_ = documents_.kept.size();
    throw std::runtime_error("ends after " + std::to_string(next_document_) + " documents, but its table has " +
                             std::to_string(documents_.kept.size()));
  }
}

bool Matcher::chunk_full() const noexcept {
  // Documents and blocks count by their memory, so that a batch of tiny documents is bounded as well.
  return pairs_.size() + 4 * open_.size() + open_blocks_ / 4 >= capacity_;
}

void Matcher::document_begin() {
  document_ = next_document_++;
  if (document_ >= documents_.kept.size()) {
    throw std::runtime_error("has more documents than its table, which has " + std::to_string(documents_.kept.size()));
  }
  skipping_ = !documents_.kept[document_];
  document_ngrams_ = 0;
  in_block_ = false;
  words_.clear();
  if (!skipping_) open_.emplace_back().document = static_cast<std::uint32_t>(document_);
}

void Matcher::document_end() {
  if (finishing_) throw std::runtime_error("has no </doc>: the file is cut short");
  if (skipping_) return;
  make_ngrams();
  end_block();
  Open& open = open_.back();
  const auto first = documents_.classes.begin() + static_cast<std::ptrdiff_t>(documents_.block_starts[document_]);
  const auto last = documents_.classes.begin() + static_cast<std::ptrdiff_t>(documents_.block_starts[document_ + 1]);
  const auto good = std::count_if(first, last, [](std::uint8_t block) { return (block & kGoodBlock) != 0; });
  if (open.block_counted.size() != static_cast<std::size_t>(good)) {
    throw std::runtime_error("has " + std::to_string(open.block_counted.size()) + " <p> where the page has " +
                             std::to_string(good) + " good blocks");
  }
  open.complete = true;
  skipping_ = true;
}

void Matcher::block_begin() {
  if (skipping_) return;
  end_block();
  in_block_ = true;
  ++open_blocks_;
}

void Matcher::end_block() {
  if (!in_block_) return;
  open_.back().block_counted.push_back(std::exchange(block_counted_, 0));
  open_.back().block_tokens.push_back(std::exchange(block_tokens_, 0));
}

void Matcher::token(std::string_view first_column) {
  if (skipping_) return;
  if (!in_block_) throw std::runtime_error("has a token before its first <p>");
  ++block_tokens_;
  // A word inside the fed bytes may be read together with the bytes after it.
  const std::size_t readable = std::max(bytes_ahead(fed_, first_column), first_column.size());
  const std::uint64_t key = TableWord::of(first_column, readable).key;
  if (!selection_.counted(first_column, key)) return;
  ++block_counted_;
  words_.push_back(key);
}

void Matcher::make_ngrams() {
  const std::size_t n = header_.n;
  if (words_.size() < n) return;
  const std::size_t count = words_.size() - n + 1;
  if (document_ngrams_ + count > UINT32_MAX / 2) {
    throw std::length_error("a document has more than 2,000 million tokens, which is too many");
  }
  const std::size_t before = pairs_.size();
  // Few enough that everything requested from memory stays in the cache.
  constexpr std::size_t kTogether = 256;
  std::uint64_t keys[kTogether];
  Pair passed[kTogether];
  for (std::size_t start = 0; start < count; start += kTogether) {
    const std::size_t size = std::min(kTogether, count - start);
    ngram_keys(words_.data() + start, size, n, [&](std::size_t i, std::uint64_t key) {
      keys[i] = key;
      if (!filter_.passes_all()) filter_.prefetch(key);
    });
    std::size_t passing = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (!filter_.passes_all() && !filter_.passes(keys[i])) continue;
      passed[passing] = {keys[i], static_cast<std::uint32_t>(pairs_.size() + passing),
                         ngram_check(words_.data() + start + i, n)};
      positions_.push_back(static_cast<std::uint32_t>(document_ngrams_ + start + i));
      ++passing;
    }
    pairs_.insert(pairs_.end(), passed, passed + passing);
  }
  document_ngrams_ += count;
  open_.back().ngrams += static_cast<std::uint32_t>(pairs_.size() - before);
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(count));
}

void Matcher::begin_join(std::uint64_t keys) {
  scratch_.resize(pairs_.size());
  const unsigned bits = bucket_bits(pairs_.size(), 4, 14);
  const auto each = [&](auto visit) {
    for (const Pair& pair : pairs_) visit(pair);
  };
  std::vector<std::uint32_t> ends;
  radix_scatter(each, bits, scratch_.data(), ends);
  pairs_.swap(scratch_);
  std::uint32_t start = 0;
  for (const std::uint32_t end : ends) {
    radix_sort(pairs_.data() + start, end - start, 64 - bits);
    start = end;
  }
  for (Pair& place : scratch_) place.key = kNone;
  joined_ = 0;
  keys_left_ = keys;
  last_number_ = kNone;
}

void Matcher::join(const std::uint64_t* keys, const std::uint64_t* numbers, const std::uint32_t* checks,
                   std::size_t count) {
  if (count > keys_left_) throw DamagedContent("it has more keys than its header says");
  const std::size_t size = pairs_.size();
  std::size_t p = joined_;
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint64_t key = keys[j], number = numbers[j];
    const bool ascends = key > last_key_ ? number > last_number_ : key == last_key_ && number == last_number_;
    if (number >= header_.keys || (last_number_ != kNone && !ascends)) throw DamagedContent("its keys do not ascend");
    last_key_ = key;
    last_number_ = number;
    while (p < size && pairs_[p].key < key) ++p;
    for (std::size_t same = p; same < size && pairs_[same].key == key; ++same) {
      if (checks == nullptr || pairs_[same].check == checks[j]) scratch_[pairs_[same].ngram].key = number;
    }
  }
  joined_ = p;
  keys_left_ -= count;
}

bool Matcher::collect() {
  if (keys_left_ != 0) throw DamagedContent("it does not have as many keys as its header says");
  for (; collected_ < open_.size(); ++collected_) {
    if (!index_.empty() && store_.size() + index_.size() * sizeof(Indexed) >= store_size_) return false;
    Open& open = open_[collected_];
    for (std::uint32_t i = 0; i < open.ngrams; ++i) {
      const std::size_t place = collected_ngrams_ + i;
      if (scratch_[place].key != kNone) open.matches.push_back({positions_[place], scratch_[place].key});
    }
    collected_ngrams_ += std::exchange(open.ngrams, 0);
    if (!open.complete) break;
    open_blocks_ -= open.block_counted.size();
    store(open);
    open = Open();
  }
  open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(collected_));
  pairs_.clear();
  positions_.clear();
  collected_ = collected_ngrams_ = 0;
  return true;
}

void Matcher::store(Open& open) {
  const std::uint64_t* starts = documents_.block_starts.data() + open.document;
  record_.document = open.document;
  record_.classes.assign(documents_.classes.begin() + static_cast<std::ptrdiff_t>(starts[0]),
                         documents_.classes.begin() + static_cast<std::ptrdiff_t>(starts[1]));
  std::uint64_t counted = 0, covered = 0, covered_to = 0;
  for (const std::uint32_t in_block : open.block_counted) counted += in_block;
  for (const Match& match : open.matches) {
    const std::uint64_t to = match.position + std::uint64_t{header_.n};
    covered += to - std::max<std::uint64_t>(covered_to, match.position);
    covered_to = to;
  }
  record_.order = {static_cast<std::uint32_t>(covered), static_cast<std::uint32_t>(counted),
                   documents_.ranks[open.document]};
  record_.block_counted.swap(open.block_counted);
  record_.block_tokens.swap(open.block_tokens);
  record_.matches.swap(open.matches);
  matches_ += record_.matches.size();
  const std::size_t offset = store_.size();
  encode(record_, key_width(header_.keys), store_);
  index_.push_back({record_.order, offset, store_.size() - offset});
}

void Matcher::start_run() {
  std::ranges::sort(index_, [](const Indexed& a, const Indexed& b) { return a.order < b.order; });
  run_.emplace(kMatchesFormat, header_);
  written_ = 0;
}

std::string_view Matcher::run_bytes() {
  run_bytes_.clear();
  if (!run_) return {};
  for (; written_ < index_.size() && run_->ready().size() < kRunPiece; ++written_) {
    run_->record(std::string_view(store_).substr(index_[written_].offset, index_[written_].size));
  }
  const bool ended = written_ == index_.size();
  if (ended) run_->finish(0);
  run_bytes_.swap(run_->ready());
  if (ended) {
    run_.reset();
    store_.clear();
    index_.clear();
  }
  return run_bytes_;
}

}  // namespace corpusprep::blocks
