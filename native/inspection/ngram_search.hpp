// Finds given n-grams in a vertical: which documents, and which of their blocks, have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/key_table.hpp"
#include "dedup/token_selection.hpp"
#include "text/vertical.hpp"

namespace corpusprep {

// An n-gram in a document. It may begin in one block and end in another.
struct FoundNgram {
  std::uint32_t document;                 // its number in the vertical, from 0
  std::uint32_t first_block, last_block;  // numbers of its blocks in the document, from 0
  std::uint32_t key;                      // the place of its key among those that are looked for
};

class NgramSearch {
 public:
  // `keys` are keys of n-grams (hash.hpp) of `n` counted tokens, none of them 0.
  NgramSearch(std::size_t n, const std::vector<std::uint64_t>& keys, bool count_punctuation,
              const std::vector<std::string>& stop_words);
  NgramSearch(const NgramSearch&) = delete;
  NgramSearch& operator=(const NgramSearch&) = delete;

  // Takes the next bytes of the vertical and appends what is found to `found`, when a document has ended.
  void feed(std::string_view chunk, std::vector<FoundNgram>& found);

  // For the reader of the vertical.
  void document_begin() {
    words_.clear();
    blocks_.clear();
    block_ = 0;
  }
  void block_begin() { ++block_; }
  void token(std::string_view token) {
    const auto key = word_key(token);
    if (!selection_.counted(token, key)) return;
    words_.push_back(key);
    blocks_.push_back(block_ - 1);
  }
  void document_end();

 private:
  std::size_t n_;
  KeyTable<std::uint64_t> keys_;
  TokenSelection selection_;
  VerticalReader<NgramSearch> reader_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> blocks_;
  std::vector<FoundNgram>* found_ = nullptr;
  std::uint32_t block_ = 0, document_ = 0;
};

}  // namespace corpusprep
