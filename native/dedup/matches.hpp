// The duplicate n-grams of the documents of a batch: the records of `blocks/<batch>.matches`, and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/tournament.hpp"
#include "io/frames.hpp"

namespace corpusprep::blocks {

inline constexpr FileFormat kMatchesFormat{"CPMATCHS", 3, "a file of matches"};

// Marks the blocks of a page that are in the vertical. Bits 0 and 1 are the context-free class.
inline constexpr std::uint8_t kGoodBlock = 4;

// A duplicate n-gram in a document.
struct Match {
  std::uint32_t position;  // of its first token, in the document's counted tokens
  std::uint64_t key;       // number of the n-gram among all duplicate n-grams, by ascending key
};

// The place of a document in the order of de-duplication: ascending share of counted tokens that are covered by
// duplicate n-grams (3.5); documents with equal shares follow the stable order. Shares are compared exactly.
struct DocumentOrder {
  std::uint32_t covered = 0;
  std::uint32_t counted = 0;
  std::uint64_t rank = 0;
};
bool operator<(const DocumentOrder& a, const DocumentOrder& b) noexcept;

struct MatchedDocument {
  std::uint32_t document = 0;  // its number in the vertical of the batch
  DocumentOrder order;
  std::vector<std::uint8_t> classes;         // of all blocks of the page: BlockClass, | kGoodBlock
  std::vector<std::uint32_t> block_counted;  // counted tokens of each good block
  std::vector<std::uint32_t> block_tokens;   // all tokens of each good block
  std::vector<Match> matches;                // by ascending position
};

// Returns the size of a key in a record, for `keys` duplicate n-grams.
unsigned key_width(std::uint64_t keys) noexcept;

// Appends the record of the document. N-grams at consecutive positions are stored together.
void encode(const MatchedDocument& document, unsigned width, std::string& out);
// Decodes only the place in the order, which is at the beginning of a record.
DocumentOrder decode_order(std::string_view record);
// Fills `document` and reuses its memory. If `matches` is false, its matches stay empty. Throws DamagedContent if the
// record contradicts itself or `header`.
void decode(std::string_view record, const StreamHeader& header, bool matches, MatchedDocument& document);

// Merges sorted streams of matches into one sorted sequence.
class MatchMerge {
 public:
  enum class State { needs_input, record, done };

  // Each stream must have this header.
  MatchMerge(std::size_t streams, const StreamHeader& header);
  MatchMerge(const MatchMerge&) = delete;
  MatchMerge& operator=(const MatchMerge&) = delete;
  // Takes the next bytes of a stream; an empty piece says that there are no more.
  void feed(std::size_t stream, std::string_view bytes) { streams_.at(stream).feed(bytes); }
  // Goes to the next record, or says that stream() must be fed first. Throws DamagedContent if stream() is damaged, not
  // sorted, or has another header.
  State next();
  std::size_t stream() const noexcept { return stream_; }
  // Position in that stream of the bytes that must be fed next. A long record is fed twice: first to learn its place in
  // the order, then when its turn comes. So only one long record is held at a time, not one per stream.
  std::uint64_t wanted() const { return streams_[stream_].wanted(); }
  // The record. Valid until next() or feed().
  std::string_view record() const noexcept { return heads_[stream_].record; }
  // The checksum of a stream that is done.
  std::uint64_t checksum(std::size_t stream) const { return streams_.at(stream).checksum(); }
  const StreamHeader& header() const noexcept { return header_; }

 private:
  struct Head {
    DocumentOrder order;
    std::string_view record;
    bool dropped = false;  // the record must be read again
    bool ended = false;    // the stream has no more records
  };
  struct Less {
    const MatchMerge* merge;
    bool operator()(std::size_t a, std::size_t b) const noexcept;
  };
  bool read_head();

  StreamHeader header_;
  std::vector<FrameReader> streams_;
  std::vector<Head> heads_;
  std::optional<Tournament<Less>> tournament_;  // made when the first record of each stream is known
  std::size_t known_ = 0;                       // streams whose first record is known
  std::size_t stream_ = 0;
  bool taken_ = false;  // the record of the winner was given: the winner must go on
  DocumentOrder last_;
  bool any_ = false;
};

// Why a merge returns to its caller, who moves the bytes.
enum WorkState : int { kNeedsInput = 0, kHasOutput = 1, kDone = 2 };

// Merges runs of one batch into its stream of matches.
class RunMerge {
 public:
  RunMerge(std::size_t runs, const StreamHeader& header, std::size_t output_size);
  void feed(std::size_t run, std::string_view bytes) { merge_.feed(run, bytes); }
  // Works until run() must be fed, until `output_size` bytes of output are ready, or until all is done. Then the rest
  // is ready.
  WorkState work();
  std::size_t run() const noexcept { return merge_.stream(); }
  std::uint64_t wanted() const { return merge_.wanted(); }
  std::string& output() noexcept { return writer_.ready(); }

 private:
  MatchMerge merge_;
  FrameWriter writer_;
  std::size_t output_size_;
  bool done_ = false;
};

// The good blocks of a stream of matches as columns, with documents in the order of the stream.
class MatchTable {
 public:
  MatchTable() : reader_(kMatchesFormat) {}
  // Takes the next bytes of the stream. An empty piece says that there are no more; the stream must then be complete.
  void feed(std::string_view bytes);
  const FrameReader& stream() const noexcept { return reader_; }

  std::vector<std::uint32_t> documents, blocks;  // one row per document: its number, its number of good blocks
  std::vector<std::uint32_t> tokens, counted;    // one row per good block

 private:
  FrameReader reader_;
  MatchedDocument document_;
};

}  // namespace corpusprep::blocks
