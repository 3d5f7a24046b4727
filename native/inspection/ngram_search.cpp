#include "inspection/ngram_search.hpp"

#include <stdexcept>

#include "common/hash.hpp"

namespace corpusprep {

NgramSearch::NgramSearch(std::size_t n, const std::vector<std::uint64_t>& keys, bool count_punctuation,
                         const std::vector<std::string>& stop_words)
    : n_(n), selection_(count_punctuation, stop_words), reader_(*this) {
  if (n == 0) throw std::invalid_argument("n must be at least 1");
  for (std::size_t i = 0; i < keys.size(); ++i) keys_.insert(keys[i], static_cast<std::uint32_t>(i));
}

void NgramSearch::feed(std::string_view chunk, std::vector<FoundNgram>& found) {
  found_ = &found;
  reader_.feed(chunk);
}

void NgramSearch::document_end() {
  if (words_.size() >= n_) {
    ngram_keys(words_.data(), words_.size() - n_ + 1, n_, [&](std::size_t place, std::uint64_t key) {
      const auto number = keys_.find(key);
      if (number == KeyTable<std::uint64_t>::kNone || key == 0) return;
      found_->push_back({document_, blocks_[place], blocks_[place + n_ - 1], number});
    });
  }
  ++document_;
}

}  // namespace corpusprep
