#include "dedup/token_stream.hpp"

#include <algorithm>
#include <utility>

namespace corpusprep::ngrams {

namespace {

constexpr std::uint64_t kMagic = magic_number("CPTOKENS");
constexpr std::uint64_t kVersion = 1;

}  // namespace

TokenStreamHeader read_token_stream_header(const std::string& path) { return TokenStreamReader(path).header(); }

TokenStreamWriter::TokenStreamWriter(const std::string& path, std::uint64_t selection) : file_(path) {
  header_.selection = selection;
  const FileHeader blank;
  file_.append(&blank, sizeof blank);
  section_.offset = file_.position();
  file_.start_section();
}

void TokenStreamWriter::start_words() {
  section_.checksum = file_.section_checksum();
  section_.bytes = file_.position() - section_.offset;
  previous_.clear();
  file_.start_section();
}

void TokenStreamWriter::add_word(std::string_view word, std::uint32_t id) {
  const auto end = std::mismatch(word.begin(), word.end(), previous_.begin(), previous_.end()).first;
  const auto shared = static_cast<std::size_t>(end - word.begin());
  file_.varint(shared);
  file_.varint(word.size() - shared);
  file_.append(word.data() + shared, word.size() - shared);
  file_.varint(id);
  previous_.assign(word);
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
  const std::uint64_t index = file_.position();
  const auto& sections = header_.sections;
  file_.start_section();
  file_.append(sections.data(), sections.size() * sizeof(TokenSection));
  FileHeader head{kMagic,
                  kVersion,
                  {header_.selection, documents, header_.tokens, header_.most_words, sections.size(), index,
                   file_.section_checksum()}};
  head.seal();
  file_.overwrite(0, &head, sizeof head);
  file_.close();
}

TokenStreamReader::TokenStreamReader(const std::string& path) : file_(path) {
  const auto fields = file_.header(kMagic, kVersion, "a file of counted tokens").fields;
  header_ = {fields[0], fields[1], fields[2], fields[3], {}};
  const std::uint64_t sections = fields[4], index = fields[5];
  if (index > file_.size() || sections != (file_.size() - index) / sizeof(TokenSection)) {
    damaged("it has not the length it says");
  }
  header_.sections.resize(sections);
  file_.start_section(index, file_.size() - index);
  file_.read(header_.sections.data(), sections * sizeof(TokenSection));
  file_.finish_section(fields[6]);
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
  const std::uint64_t shared = file_.varint();
  const std::uint64_t length = file_.varint();
  if (shared > word_.size() || length == 0 || length > file_.left()) damaged("a word in it is damaged");
  word_.resize(shared + length);
  file_.read(word_.data() + shared, length);
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
    // Where a code might lie across the end of what can be read, it is left to the next round, unless nothing follows.
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
