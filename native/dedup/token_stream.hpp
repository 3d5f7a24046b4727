// The counted tokens of a batch as ids, so that later steps need not read the vertical again.
//
// A file has sections. A section lists ids in the order of the text, each as LEB128 of the id plus one, with a 0 after
// each document; then the words of these ids, in the order of their bytes, front-coded, each with its id. A document
// may continue in the next section, which has its own ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/stage_file.hpp"

namespace corpusprep::ngrams {

struct TokenSection {
  std::uint64_t offset = 0, bytes = 0, checksum = 0;           // of the ids
  std::uint64_t words = 0, word_bytes = 0, word_checksum = 0;  // of the words, which follow
};

struct TokenStreamHeader {
  std::uint64_t selection = 0;   // digest of the settings that decide which tokens count
  std::uint64_t documents = 0;   // read, whether selected or not
  std::uint64_t tokens = 0;      // counted tokens of the selected documents
  std::uint64_t most_words = 0;  // of a section
  std::vector<TokenSection> sections;
};

// Returns the header and the index of a file, both checked.
TokenStreamHeader read_token_stream_header(const std::string& path);

class TokenStreamWriter {
 public:
  TokenStreamWriter(const std::string& path, std::uint64_t selection);
  void add(std::uint32_t id) {
    file_.varint(std::uint64_t{id} + 1);
    ++header_.tokens;
    open_ = true;
  }
  void end_document() {
    if (open_) file_.varint(0);
    open_ = false;
  }
  // Must be called when all ids of the section were added. The words follow, in strictly ascending order of their
  // bytes.
  void start_words();
  void add_word(std::string_view word, std::uint32_t id);
  // Ends the section and begins the next one.
  void finish_section();
  // Writes the index and the header. `documents` were read.
  void finish(std::uint64_t documents);

 private:
  FileWriter file_;
  TokenStreamHeader header_;
  TokenSection section_;
  std::string previous_;
  bool open_ = false;
};

// Reads the sections of a file one after another.
class TokenStreamReader {
 public:
  explicit TokenStreamReader(const std::string& path);
  const TokenStreamHeader& header() const noexcept { return header_; }
  // Goes to the next section. Returns false if there is none. All words must be read first, then the ids.
  bool next_section();
  std::uint64_t words() const noexcept { return header_.sections[section_ - 1].words; }
  // Goes to the next word of the section and its id, which is less than words(). Returns false once after the last.
  bool next_word();
  const std::string& word() const noexcept { return word_; }
  std::uint32_t word_id() const noexcept { return word_id_; }
  // Reads up to `most` values: ids plus one, and a zero after each document. Returns how many; 0 at the end of the
  // section.
  std::size_t read(std::uint32_t* tokens, std::size_t most);
  [[noreturn]] void damaged(const std::string& what) const { file_.damaged(what); }

 private:
  FileReader file_;
  TokenStreamHeader header_;
  std::size_t section_ = 0;
  std::uint64_t listed_ = 0;
  std::string word_;
  std::uint32_t word_id_ = 0;
};

}  // namespace corpusprep::ngrams
