// Finds the duplicate n-grams of a batch: a sort-merge join of the n-grams of its vertical with the sorted keys of all
// duplicate n-grams, in chunks that fit the memory. A filter of the keys removes most other n-grams first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/page_array.hpp"
#include "common/prefetch.hpp"
#include "dedup/matches.hpp"
#include "dedup/token_selection.hpp"
#include "io/frames.hpp"
#include "text/vertical.hpp"

namespace corpusprep::blocks {

// The documents of a vertical, in its order.
struct DocumentTable {
  std::vector<std::uint8_t> kept;           // 0: the document is skipped
  std::vector<std::uint64_t> ranks;         // places in the stable order
  std::vector<std::uint64_t> block_starts;  // documents + 1 offsets into classes
  std::vector<std::uint8_t> classes;        // of all blocks of each page: BlockClass, | kGoodBlock
};

// A filter with one bit per value of the highest bits of the keys. Keys are hashes, so the share of other n-grams that
// pass is the share of bits that are set.
class KeyFilter {
 public:
  // Bits per key if there is enough memory: about one in 20 other n-grams passes.
  static constexpr std::uint64_t kBitsPerKey = 16;
  // With fewer bits per key, a filter costs more time than it saves.
  static constexpr std::uint64_t kMinBitsPerKey = 2;
  // Returns the size of a filter of `keys` keys that takes up to `most` bytes; 0 if that is too little for one.
  static std::size_t bytes_for(std::uint64_t keys, std::size_t most) noexcept;

  // `bytes` is 0, so that everything passes, or a power of two of at least 8.
  explicit KeyFilter(std::size_t bytes);
  bool passes_all() const noexcept { return bits_.size() == 0; }
  // Must not be called if everything passes.
  void add(std::uint64_t key) noexcept { bits_[key >> shift_ >> 6] |= std::uint64_t{1} << (key >> shift_ & 63); }
  void prefetch(std::uint64_t key) const noexcept { prefetch_line(bits_.get() + (key >> shift_ >> 6)); }
  bool passes(std::uint64_t key) const noexcept { return bits_[key >> shift_ >> 6] >> (key >> shift_ & 63) & 1; }

 private:
  PageArray<std::uint64_t> bits_;
  unsigned shift_ = 0;  // of a key, which leaves the number of a bit
};

// Usage: filter() all keys, unless everything passes. feed() the vertical. Whenever chunk_full(), and after finish(),
// process the chunk:
//   begin_join(); join() with the keys in order; then collect() until it returns true. Each time it returns false,
//   take the records (start_run(), run_bytes() until it returns nothing).
// Each run is sorted in the order of de-duplication; runs are streams of matches.
class Matcher {
 public:
  // The largest piece for feed(). Each line is a token of at least two bytes.
  static constexpr std::size_t kFeedSize = 1 << 20;
  // The largest chunk. Together with the n-grams of one more feed(), numbers still fit 32 bits.
  static constexpr std::size_t kMostNgrams = std::size_t{1} << 31;
  // Memory per n-gram of a chunk: its position, and twice (for sorting) its key, check and place.
  static constexpr std::size_t kBytesPerNgram = 36;

  // header            of the streams to write: n (at least 1) and the file of keys
  // count_punctuation, stop_words   which tokens count, see TokenSelection
  // capacity          n-grams per chunk, up to kMostNgrams (memory: kBytesPerNgram each, and one feed() more)
  // store_size        bytes of records after which they must be taken; one more record may come on top
  // filter_bytes      size of the KeyFilter
  Matcher(const StreamHeader& header, bool count_punctuation, const std::vector<std::string>& stop_words,
          DocumentTable documents, std::size_t capacity, std::size_t store_size, std::size_t filter_bytes);
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  // Lets n-grams with these keys pass.
  void filter(const std::uint64_t* keys, std::size_t count) noexcept;
  // Takes up to kFeedSize bytes of the vertical; not while a chunk is full. Throws std::runtime_error if the structure
  // of the vertical contradicts the table: wrong_document() is then the document, or at least the number of documents.
  void feed(std::string_view vertical);
  void finish();
  bool chunk_full() const noexcept;
  std::uint64_t wrong_document() const noexcept { return document_; }

  // Starts a join with `keys` keys: all duplicate n-grams, or those that the batch can have.
  void begin_join(std::uint64_t keys);
  // Takes keys, their numbers among all duplicate n-grams, and the checks of their n-grams (hash.hpp); nullptr: n-grams
  // are not checked. The calls of one join must give all, ascending. N-grams with equal keys have one number.
  void join(const std::uint64_t* keys, const std::uint64_t* numbers, const std::uint32_t* checks, std::size_t count);
  // Makes records of the documents of the chunk. Returns false if the records must be taken before it can continue.
  bool collect();

  void start_run();
  // Returns the next bytes of the run, or nothing after its end. The records are then removed. Valid until the next
  // call.
  std::string_view run_bytes();

  std::uint64_t matches() const noexcept { return matches_; }

  // Called by VerticalReader.
  void document_begin();
  void document_end();
  void block_begin();
  void token(std::string_view first_column);

 private:
  struct Pair {
    std::uint64_t key;
    std::uint32_t ngram;  // place in the chunk
    std::uint32_t check;
  };
  // A document of the chunk. The last one may continue in the next chunk.
  struct Open {
    std::uint32_t document = 0;
    std::uint32_t ngrams = 0;  // its n-grams in this chunk, which are adjacent
    std::vector<std::uint32_t> block_counted, block_tokens;
    std::vector<Match> matches;
    bool complete = false;
  };
  struct Indexed {
    DocumentOrder order;
    std::size_t offset, size;
  };

  void make_ngrams();
  void end_block();
  void store(Open& open);

  StreamHeader header_;
  TokenSelection selection_;
  DocumentTable documents_;
  std::size_t capacity_, store_size_;
  KeyFilter filter_;
  VerticalReader<Matcher> reader_;

  std::uint64_t document_ = 0, next_document_ = 0;
  bool skipping_ = true, finishing_ = false;
  std::string_view fed_;  // the argument of the current feed()
  std::uint64_t document_ngrams_ = 0;
  bool in_block_ = false;
  std::uint32_t block_tokens_ = 0, block_counted_ = 0;
  std::vector<std::uint64_t> words_;  // keys of counted tokens of the document whose n-grams have not been made yet

  // The chunk. After sorting, `scratch_` holds the number of the key found for each place in the chunk, or kNone.
  std::vector<Pair> pairs_, scratch_;
  std::vector<std::uint32_t> positions_;  // of each n-gram of the chunk: of its first token in the document
  std::vector<Open> open_;
  std::size_t open_blocks_ = 0;
  std::size_t joined_ = 0;  // pairs that were compared with all keys so far
  std::uint64_t keys_left_ = 0, last_key_ = 0, last_number_ = 0;
  std::size_t collected_ = 0, collected_ngrams_ = 0;  // documents of the chunk that are in the store, and their n-grams

  std::string store_;
  std::vector<Indexed> index_;
  std::optional<FrameWriter> run_;
  std::size_t written_ = 0;
  std::string run_bytes_;
  MatchedDocument record_;

  std::uint64_t matches_ = 0;
};

}  // namespace corpusprep::blocks
