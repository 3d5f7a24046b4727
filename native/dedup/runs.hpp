// Runs: sorted n-grams of a chunk with their counts, compressed. A file holds the runs of one batch.
//
// An entry has: the length of the prefix that it shares with the entry before it, in whole bytes of the n-gram's Elias
// code; twice the length of the rest, plus one if the n-gram occurs more than once; the rest; and then, if it occurs
// more than once, its count minus two. Numbers are LEB128, usually one byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "common/page_array.hpp"
#include "dedup/elias.hpp"
#include "dedup/key_partitions.hpp"
#include "dedup/suffix_sort.hpp"
#include "dedup/token_stream.hpp"
#include "io/stage_file.hpp"

namespace corpusprep::ngrams {

inline constexpr FileFormat kRunsFormat{"CPNGRUNS", 2, "a file of n-gram runs"};

// Where a run lies in its file.
struct RunSpan {
  std::uint64_t offset = 0, bytes = 0, entries = 0, checksum = 0;
};

struct RunsHeader {
  std::uint64_t n = 0;
  std::uint64_t lexicon = 0;    // checksum of the lexicon that gave the ids
  std::uint64_t selection = 0;  // digest of the settings that decide which tokens count
  std::uint64_t documents = 0;  // read, whether selected or not
  std::uint64_t tokens = 0;     // counted tokens of the selected documents
  std::uint64_t ngrams = 0;     // instances of n-grams, including those that cannot be duplicates
  std::uint64_t hapaxes = 0;    // counted tokens that the lexicon does not list
  std::uint64_t parts = 1;      // each chunk has a run for each part, in order
  std::vector<RunSpan> runs;
};

// The most parts. A part is a range of keys (hash.hpp), so the keys of one part follow the keys of the part before it.
inline constexpr std::uint32_t kMostParts = 1 << 15;

// Finds the parts of n-grams.
class NgramParts {
 public:
  NgramParts(std::uint32_t n, std::uint32_t parts) : n_(n), parts_(parts) {}
  std::uint32_t parts() const noexcept { return parts_; }
  // No n-gram crosses this place.
  void reset() noexcept { words_ = 0; }
  // Adds a word; returns the part of the n-gram that ends with it, or 0 if none does.
  std::uint32_t push(std::uint64_t word_key) noexcept {
    if (parts_ == 1) return 0;
    keys_[place_] = keys_[place_ + n_] = word_key;
    place_ = place_ + 1 == n_ ? 0 : place_ + 1;
    return ++words_ < n_ ? 0 : of(keys_.data() + place_);
  }
  // Returns the part of the n-gram with these words.
  std::uint32_t of(const std::uint64_t* word_keys) const noexcept {
    return parts_ == 1 ? 0 : static_cast<std::uint32_t>((ngram_key(word_keys, n_) >> 32) * parts_ >> 32);
  }

 private:
  std::uint32_t n_, parts_, place_ = 0;
  std::uint64_t words_ = 0;
  std::array<std::uint64_t, std::size_t{2} * kLongestNgram> keys_{};  // the last n twice, so that they stand in a row
};

// Returns the header and the index of runs of a file, both checked.
RunsHeader read_runs_header(const std::string& path);

class RunsWriter {
 public:
  explicit RunsWriter(const std::string& path) : file_(path) {}
  void start_run();
  // Codes must be in strictly ascending order; counts are 1 or more.
  void add(const NgramCode& code, std::uint64_t count);
  void finish_run();
  // Writes the n-grams of a chunk: a run for each part.
  void add_chunk(SuffixSorter& sorter, std::uint32_t parts);
  // Writes `header` with the runs that were added.
  void finish(const RunsHeader& header);

 private:
  FileWriter file_;
  std::vector<RunSpan> spans_;
  NgramCode previous_;
};

class RunReader {
 public:
  // Reads a run of n-grams of n ids, given by the path of its file and its place there.
  RunReader(const std::string& path, const RunSpan& span, std::uint32_t n, std::size_t buffer_bytes);
  // Goes to the next n-gram. Returns false once after the last, when the checksum was found correct. Throws DamagedFile
  // for bytes that no writer writes: codes that do not ascend or are too long, numbers with too many bytes or more than
  // 64 bits. Whether a code has n ids of the lexicon is only known where it is decoded, as few codes are.
  bool next();
  const NgramCode& code() const noexcept { return code_; }
  std::uint64_t count() const noexcept { return count_; }
  [[noreturn]] void damaged(const std::string& what) const { file_.damaged(what); }

 private:
  // The number at `bytes`. Nearly all have one byte.
  Varint number(const unsigned char* bytes) const {
    return *bytes < 0x80 ? Varint{*bytes, bytes + 1} : long_number(bytes);
  }
  Varint long_number(const unsigned char* bytes) const;
  FileReader file_;
  RunSpan span_;
  std::uint64_t taken_ = 0;
  std::uint32_t most_bytes_;
  NgramCode code_;
  std::uint64_t count_ = 0;
};

// Makes the runs of a batch from its stream of counted tokens: of all its n-grams that can be duplicates, or of those
// that a filter passes. Words to ids, chunks of up to `chunk_tokens` ids, suffix sort, runs.
class StreamRunBuilder {
 public:
  // Memory per token of a chunk.
  static constexpr std::size_t kBytesPerToken = SuffixSorter::kBytesPerId;
  // Memory per word of the largest section.
  static constexpr std::size_t kBytesPerWord = sizeof(std::uint64_t) + sizeof(std::uint32_t);

  // 1 <= n <= kLongestNgram, 4 * n <= chunk_tokens < 2^32, 1 <= parts <= kMostParts. The lexicon is read once per
  // section.
  StreamRunBuilder(const std::string& path, const std::string& tokens, const std::string& lexicon, std::uint32_t n,
                   std::size_t chunk_tokens, std::uint32_t parts);

  // Goes through the tokens once and takes the n-grams that `filter` passes, or all if it is null. Each call makes its
  // own runs, so a filter may be given in parts. The filter belongs to the caller.
  void start(const CandidateFilter* filter);
  // Takes some more tokens. Returns false when all were taken.
  bool advance();
  // Must be called after the last pass. Writes the header and closes the file.
  void finish();

 private:
  static constexpr std::size_t kPiece = 512;
  static constexpr std::size_t kStep = 1 << 11;  // pieces of the stream
  // In place of an id: a word that the lexicon does not list, or the end of a document.
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  bool next_section();
  void all(const std::uint32_t* tokens, std::size_t count);
  void passed(const std::uint32_t* tokens, std::size_t count);
  void count_document() noexcept;
  // No n-gram crosses this place: the end of a document, or a hapax.
  void end_segment();
  // Writes the n-grams of the chunk as a run per part.
  void flush();

  std::string path_, lexicon_;
  std::uint32_t n_;
  NgramParts parts_;
  SuffixSorter sorter_;
  RunsWriter writer_;
  RunsHeader header_;
  std::unique_ptr<TokenStreamReader> reader_;
  const CandidateFilter* filter_ = nullptr;
  PageArray<std::uint32_t> ids_;        // of the lexicon, by the ids of the section; kNone for a hapax
  PageArray<std::uint64_t> word_keys_;  // by the ids of the section
  RollingKey rolling_;
  std::uint64_t document_tokens_ = 0, tokens_ = 0, ngrams_ = 0, hapaxes_ = 0;
  bool section_open_ = false;
  // The last ids: of n - 1 tokens before the piece, then of the piece.
  std::array<std::uint32_t, kLongestNgram + kPiece> history_;
  std::array<std::uint64_t, kLongestNgram + kPiece> key_history_;  // their words' keys, for several parts
  bool adjacent_ = false;                                          // the n-gram that ends before the next id was taken
};

}  // namespace corpusprep::ngrams
