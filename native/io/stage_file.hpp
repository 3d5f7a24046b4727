// Checked binary files, the one framework for all files that a stage writes for a later stage. Little endian.
//
// Each file starts with a FileHeader of 128 bytes. Two kinds of content follow it:
//   sections  written and read here, by path and position; the header or an index holds the checksum of each section.
//   frames    written and read in pieces that the caller moves (frames.hpp); each frame holds its own checksum.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/varint.hpp"

namespace corpusprep {

static_assert(std::endian::native == std::endian::little, "stage files have the byte order of memory");

// The operating system reported an error: `code` is its errno, `path` the file.
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& file, int error, bool missing_input = false);
  const std::string path;
  const int code;
  const bool missing_input;  // a file to be read is not there
};

// The content of a file is not what a stage writes. The message says what is wrong, and follows the name of the file
// and a colon: "it is cut short". Thrown as it is where the caller knows the name.
class DamagedContent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The same with the name of the file and what to do.
class DamagedFile : public std::runtime_error {
 public:
  DamagedFile(const std::string& path, const std::string& what);
};

// Checksum of a sequence of bytes; it does not depend on how the sequence is split into calls. Each step is a bijection
// of the state, so a change within one group of eight bytes is always found. Other changes are missed with a
// probability of 2^-64.
class Checksum {
 public:
  void update(const void* data, std::size_t size) noexcept;
  std::uint64_t value() const noexcept;

 private:
  void group(std::uint64_t bytes) noexcept { state_ = (std::rotl(state_, 29) ^ bytes) * 0x9E3779B97F4A7C15ULL; }
  std::uint64_t state_ = 0x243F6A8885A308D3ULL;
  std::uint64_t size_ = 0;
  std::array<unsigned char, 8> rest_{};  // the last size_ % 8 bytes
};

// Eight characters that identify a kind of file, and the version of its layout.
struct FileFormat {
  std::uint64_t magic = 0;
  std::uint64_t version;
  std::string_view name;  // in messages: "a lexicon"

  consteval FileFormat(const char (&characters)[9], std::uint64_t layout_version, std::string_view file_name)
      : version(layout_version), name(file_name) {
    for (std::size_t i = 8; i-- > 0;) magic = (magic << 8) | static_cast<unsigned char>(characters[i]);
  }
};

// The beginning of each stage file. Each format defines what its `fields` mean.
struct FileHeader {
  static constexpr std::size_t kBytes = 128;
  using Fields = std::array<std::uint64_t, 13>;
  std::uint64_t magic = 0;
  std::uint64_t version = 0;
  Fields fields{};
  std::uint64_t checksum = 0;  // of everything before it; covers the whole file if `fields` hold its checksums

  static FileHeader of(const FileFormat& format, const Fields& fields) noexcept;
  // The header in these kBytes bytes. Throws DamagedContent unless it is a valid header of this format.
  static FileHeader parse(const void* bytes, const FileFormat& format);
};
static_assert(sizeof(FileHeader) == FileHeader::kBytes);

// Where the index of a file is: rows of fixed size at its end.
struct FileIndex {
  std::uint64_t rows = 0, offset = 0, checksum = 0;
};

// Writes a file, replacing an existing one. Must not be used after an exception.
class FileWriter {
 public:
  // Writes `header_bytes` zeros as room for the header, then starts the first section.
  explicit FileWriter(const std::string& path, std::size_t header_bytes = FileHeader::kBytes);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // Gives `size` (<= kRoom) writable bytes at the end of the file; wrote() says how many of them were filled.
  static constexpr std::size_t kRoom = std::size_t{1} << 12;
  unsigned char* room() {
    if (kBuffer - used_ < kRoom) drain();
    return buffer_.data() + used_;
  }
  void wrote(std::size_t size) noexcept { used_ += size; }

  void append(const void* data, std::size_t size);
  void varint(std::uint64_t value) { wrote(put_varint(room(), value)); }
  // Appends what `string` does not share with the string before it: length of the common prefix, length of the rest,
  // the rest. `previous` becomes `string`.
  void front_coded(std::string_view string, std::string& previous);

  std::uint64_t position() const noexcept { return written_ + used_; }
  // Starts a section here.
  void start_section();
  // The checksum of what was appended since start_section().
  std::uint64_t section_checksum();
  // Appends the rows of an index, as a section.
  template <class Row>
  FileIndex index(const std::vector<Row>& rows) {
    const std::uint64_t offset = position();
    start_section();
    append(rows.data(), rows.size() * sizeof(Row));
    return {rows.size(), offset, section_checksum()};
  }
  // Writes the header and closes the file. Returns the checksum of the header.
  std::uint64_t finish(const FileFormat& format, const FileHeader::Fields& fields);
  // Closes a file without a header, or one whose header the caller writes.
  void close();

 private:
  struct Opened {};
  FileWriter(const std::string& path, Opened);
  static constexpr std::size_t kBuffer = std::size_t{1} << 18;
  void drain();
  void write_at(std::uint64_t offset, const unsigned char* data, std::size_t size);
  std::string path_;
  std::vector<unsigned char> buffer_;
  int descriptor_;
  std::size_t used_ = 0;
  std::uint64_t written_ = 0;
  Checksum checksum_;
};

// Reads sections of a file through a buffer. Reading past the end of a section throws DamagedFile.
class FileReader {
 public:
  explicit FileReader(const std::string& path, std::size_t buffer_bytes = std::size_t{1} << 18);
  ~FileReader();
  FileReader(FileReader&& other) noexcept;
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }
  // The header of the file, which must be valid and of this format.
  FileHeader header(const FileFormat& format);
  // The rows of the index, which must reach to the end of the file.
  template <class Row>
  std::vector<Row> index(const FileIndex& place) {
    if (place.offset > size_ || place.rows != (size_ - place.offset) / sizeof(Row)) wrong_length();
    std::vector<Row> rows(place.rows);
    start_section(place.offset, size_ - place.offset);
    read(rows.data(), rows.size() * sizeof(Row));
    finish_section(place.checksum);
    return rows;
  }

  // Goes to a section. DamagedFile if the file is too short for it.
  void start_section(std::uint64_t offset, std::uint64_t length);
  std::uint64_t left() const noexcept { return unread_ + (end_ - next_); }
  // A pointer to the next min(kLookahead, left()) bytes or more, followed by zeros up to kLookahead.
  static constexpr std::size_t kLookahead = std::size_t{1} << 10;
  const unsigned char* ahead() {
    if (end_ - next_ < kLookahead && unread_ != 0) fill();
    return buffer_.data() + next_;
  }
  // How many bytes ahead() gives, without the zeros.
  std::size_t ready() const noexcept { return end_ - next_; }
  void consume(std::size_t size) {
    if (size > end_ - next_) damaged("it ends too early");
    next_ += size;
  }
  std::uint64_t varint();
  void read(void* out, std::size_t size);
  // Replaces `string` by the next front-coded string, which must follow it in the order of bytes and is not empty.
  void front_coded(std::string& string);
  // Throws DamagedFile unless the section has been read to its end and its checksum is `expected`.
  void finish_section(std::uint64_t expected);

  [[noreturn]] void damaged(const std::string& what) const;
  [[noreturn]] void wrong_length() const { damaged("it does not have the length that its header gives"); }

 private:
  void fill();
  void read_at(std::uint64_t offset, unsigned char* out, std::size_t size);
  std::string path_;
  std::size_t capacity_;
  std::vector<unsigned char> buffer_;  // capacity_ bytes, then room for kLookahead zeros
  int descriptor_;
  std::uint64_t size_ = 0;
  std::size_t next_ = 0, end_ = 0;
  std::uint64_t offset_ = 0, unread_ = 0;  // of the part of the section after the buffer
  Checksum checksum_;
};

}  // namespace corpusprep
