// Block de-duplication (Pomikálek 2011, 3.5, algorithm 3.1 on the blocks of 3.5.2): the sequential pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/matches.hpp"
#include "io/frames.hpp"

namespace corpusprep::blocks {

inline constexpr FileFormat kVerdictsFormat{"CPVERDCT", 4, "a file of verdicts"};

enum BlockVerdict : std::uint8_t { kKept = 0, kDuplicate = 1, kStub = 2, kDuplicateDocument = 3, kNearDuplicate = 4 };

// What is de-duplicated, and how.
struct Choices {
  double threshold = 0.5;   // in (0, 1]: a unit with this share of covered tokens or more is a duplicate
  bool documents = false;   // algorithm 3.1 on documents
  bool blocks = true;       // algorithm 3.1 on blocks; if both, on the blocks of the documents that are left
  bool smoothing = true;    // the context-sensitive classification after the blocks (3.5.2)
  bool as_written = false;  // on blocks, the n-grams of algorithm 3.1 to the letter: see Deduplicator::document
};

// Verdicts on the good blocks of one document, in order.
struct BlockVerdicts {
  std::vector<std::uint32_t> covered;  // counted tokens covered by n-grams seen before
  std::vector<std::uint8_t> verdicts;  // BlockVerdict
};

// Holds one bit per duplicate n-gram: whether a kept block of an earlier document contains it.
class Deduplicator {
 public:
  // `keys` duplicate n-grams of `n` tokens.
  Deduplicator(std::uint64_t keys, std::uint32_t n, const Choices& choices);

  // Decides on the next document of the corpus.
  //
  // On documents: all its blocks are duplicates if `threshold` or more of all its counted tokens are covered by n-grams
  // that occur in kept blocks of earlier documents.
  //
  // On blocks: a good block that is not short is a duplicate if `threshold` or more of its counted tokens are covered
  // by n-grams that occur in kept blocks of earlier documents, or in this document before the block (whole, and in no
  // duplicate block). Then the context-sensitive classification treats duplicates as bad; good blocks that it now finds
  // bad are stubs. The n-grams of the remaining blocks become seen.
  //
  // As written, each good block that is not short is a unit of algorithm 3.1: only n-grams inside one block count, and
  // the n-grams of a unit that is no duplicate become seen at once, even if the unit becomes a stub later.
  //
  // If the label of an algorithm contradicts the context-free class, the label counts: a good block of class bad counts
  // as good, any other block of class good as bad. Blocks that algorithm 2.3 would not have kept anyway are no stubs.
  void document(const MatchedDocument& document, BlockVerdicts& out);

 private:
  // The n-grams of the current document that count as seen for its later blocks. It is cleared in constant time for
  // each document by a new epoch: clearing the slots would cost as much as the largest document each time. That keeps
  // it apart from KeyTable.
  class LocalSet {
   public:
    void clear(std::size_t most);
    void insert(std::uint64_t key) noexcept;
    bool contains(std::uint64_t key) const noexcept;

   private:
    std::size_t slot(std::uint64_t key) const noexcept;
    struct Slot {
      std::uint64_t key = 0;
      std::uint64_t epoch = 0;
    };
    std::vector<Slot> slots_ = std::vector<Slot>(16);
    std::uint64_t epoch_ = 0;
  };

  bool seen(std::uint64_t key) const noexcept { return (bits_[key >> 6] >> (key & 63)) & 1; }
  void mark_seen(std::uint64_t key) noexcept { bits_[key >> 6] |= std::uint64_t{1} << (key & 63); }
  // Sets `covered` of each block, by n-grams of earlier documents only. Returns their sum.
  std::uint64_t cover_document(const MatchedDocument& document, BlockVerdicts& out);
  void find_duplicates(const MatchedDocument& document, BlockVerdicts& out);
  void find_stubs(const MatchedDocument& document, BlockVerdicts& out);
  void mark_kept(const MatchedDocument& document, const BlockVerdicts& out);

  std::uint32_t n_;
  Choices choices_;
  std::vector<std::uint64_t> bits_;
  LocalSet local_;
  std::vector<std::uint8_t> classes_, good_before_, good_after_;
};

// The records of `blocks/<batch>.verdicts`.
void encode_verdicts(std::uint32_t document, const BlockVerdicts& verdicts, std::string& out);
// Appends to `verdicts`. Returns the number of the document.
std::uint32_t decode_verdicts(std::string_view record, BlockVerdicts& verdicts);

// A stream of verdicts as columns, with documents in the order of the stream.
class VerdictTable {
 public:
  VerdictTable() : reader_(kVerdictsFormat) {}
  // Takes the next bytes of the stream. An empty piece says that there are no more; the stream must then be complete.
  void feed(std::string_view bytes);
  const FrameReader& stream() const noexcept { return reader_; }

  std::vector<std::uint32_t> documents, blocks;  // one row per document: its number, its number of good blocks
  BlockVerdicts rows;                            // one row per good block

 private:
  FrameReader reader_;
};

// The whole sequential pass: reads the matches of all batches, writes the verdicts of all batches.
class VerdictPass {
 public:
  // `matches` is the header that each stream of matches must have. A stream of verdicts is only handed out before its
  // end when `output_size` bytes are ready. `near_duplicates` has a bit per rank, the lowest of each byte first:
  // documents that are left out, as if they were not in the corpus.
  VerdictPass(std::size_t batches, const StreamHeader& matches, const Choices& choices, std::size_t output_size,
              std::vector<std::uint8_t> near_duplicates = {});
  void feed(std::size_t batch, std::string_view bytes) { merge_.feed(batch, bytes); }
  // Works until batch() must be fed, until its output must be taken, or until all is done. Then each batch has output.
  WorkState work();
  std::size_t batch() const noexcept { return merge_.stream(); }
  std::uint64_t wanted() const { return merge_.wanted(); }
  std::string& output(std::size_t batch) { return writers_.at(batch).ready(); }
  std::uint64_t documents() const noexcept { return documents_; }

 private:
  void decide();

  MatchMerge merge_;
  Deduplicator deduplicator_;
  std::vector<FrameWriter> writers_;
  std::size_t output_size_;
  std::uint64_t documents_ = 0;
  std::vector<std::uint8_t> near_duplicates_;
  MatchedDocument document_;
  BlockVerdicts verdicts_;
  std::string record_;
  bool done_ = false;
};

// Returns the memory of the pass for a document whose record has `record` bytes, with `keys` duplicate n-grams.
std::uint64_t document_bytes(std::uint64_t record, std::uint64_t keys) noexcept;

}  // namespace corpusprep::blocks
