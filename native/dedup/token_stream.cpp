#include "dedup/token_stream.hpp"

#include <algorithm>
#include <utility>

namespace corpusprep::ngrams {

namespace {

constexpr FileFormat kFormat{"CPTOKENS", 1, "a file of counted tokens"};

}  // namespace

TokenStreamHeader read_token_stream_header(const std::string& path) { return TokenStreamReader(path).header(); }

TokenStreamWriter::TokenStreamWriter(const std::string& path, std::uint64_t selection) : file_(path) {
  header_.selection = selection;
  section_.offset = file_.position();
}

void TokenStreamWriter::start_words() {
  section_.checksum = file_.section_checksum();
  section_.bytes = file_.position() - section_.offset;
  previous_.clear();
  file_.start_section();
}

void TokenStreamWriter::add_word(std::string_view word, std::uint32_t id) {
  file_.front_coded(word, previous_);
  file_.varint(id);
  ++section_.words;
}

void TokenStreamWriter::finish_section() {
  section_.word_checksum = file_.section_checksum();
  section_.word_bytes = file_.position() - section_.offset - section_.bytes;
  header_.most_words = std::max(header_.most_words, section_.words);
  header_.sections.push_back(std::exchange(section_, {}));
  section_.offset = file_.position();
  file_.start_section();
}

void TokenStreamWriter::finish(std::uint64_t documents) {
  const FileIndex index = file_.index(header_.sections);
  file_.finish(kFormat, {header_.selection, documents, header_.tokens, header_.most_words, index.rows, index.offset,
                         index.checksum});
}

TokenStreamReader::TokenStreamReader(const std::string& path) : file_(path) {
  const auto fields = file_.header(kFormat).fields;
  header_ = {fields[0], fields[1], fields[2], fields[3], file_.index<TokenSection>({fields[4], fields[5], fields[6]})};
}

bool TokenStreamReader::next_section() {
  if (section_ == header_.sections.size()) return false;
  const TokenSection& section = header_.sections[section_++];
  file_.start_section(section.offset + section.bytes, section.word_bytes);
  listed_ = 0;
  word_.clear();
  return true;
}

bool TokenStreamReader::next_word() {
  const TokenSection& section = header_.sections[section_ - 1];
  if (listed_ == section.words) {
    file_.finish_section(section.word_checksum);
    file_.start_section(section.offset, section.bytes);
    return false;
  }
  ++listed_;
  file_.front_coded(word_);
  const std::uint64_t id = file_.varint();
  if (id >= section.words) damaged("a word in it is damaged");
  word_id_ = static_cast<std::uint32_t>(id);
  return true;
}

std::size_t TokenStreamReader::read(std::uint32_t* tokens, std::size_t most) {
  constexpr std::size_t kLongest = 5;
  static_assert(FileReader::kLookahead >= 64 * kLongest);
  const std::uint64_t words = this->words();
  std::size_t count = 0;
  while (count < most && file_.left() != 0) {
    const unsigned char* const start = file_.ahead();
    const auto readable = static_cast<std::size_t>(std::min<std::uint64_t>(file_.left(), FileReader::kLookahead));
    const unsigned char* const end = start + readable;
    // A code that may cross the end of the readable bytes is left to the next round, unless nothing follows.
    const unsigned char* const safe = readable < FileReader::kLookahead ? end : end - kLongest;
    const unsigned char* next = start;
    while (next < safe && count < most) {
      std::uint64_t value = *next & 0x7F;
      for (unsigned shift = 7; *next++ >= 0x80 && shift < 35; shift += 7) {
        value |= static_cast<std::uint64_t>(*next & 0x7F) << shift;
      }
      if (value > words || next > end) damaged("a token in it is damaged");
      tokens[count++] = static_cast<std::uint32_t>(value);
    }
    file_.consume(static_cast<std::size_t>(next - start));
  }
  if (count == 0) file_.finish_section(header_.sections[section_ - 1].checksum);
  return count;
}

}  // namespace corpusprep::ngrams
