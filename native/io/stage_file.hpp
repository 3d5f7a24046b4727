// Binary stage files: a checked header of 128 bytes, then sections that carry checksums. Little endian.
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

namespace corpusprep::ngrams {

static_assert(std::endian::native == std::endian::little, "stage files are written as they lie in memory");

// The operating system refused: `code` is its errno, `path` the file.
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& path, int code);
  const std::string path;
  const int code;
};

// A file whose content cannot be what the stage before wrote; the message names it and says what to do.
class DamagedFile : public std::runtime_error {
 public:
  DamagedFile(const std::string& path, const std::string& what);
};

// Checksum of a stream of bytes, however it is split into calls. Every step is a bijection of the state, so a
// change within one group of eight bytes is always seen; wider changes escape with a chance of 2^-64.
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

// What a stage file begins with. `magic` is eight characters; `fields` belong to the kind of file.
struct FileHeader {
  static constexpr std::size_t kBytes = 128;
  std::uint64_t magic = 0;
  std::uint64_t version = 0;
  std::array<std::uint64_t, 13> fields{};
  std::uint64_t checksum = 0;  // of all before it; stands for the whole file where fields hold its checksums

  void seal() noexcept;
};
static_assert(sizeof(FileHeader) == FileHeader::kBytes);

constexpr std::uint64_t magic_number(const char (&text)[9]) noexcept {
  std::uint64_t magic = 0;
  for (int i = 7; i >= 0; --i) magic = (magic << 8) | static_cast<unsigned char>(text[i]);
  return magic;
}

// Writes a new file, or the file of that name anew. Not usable after an exception.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // Room for `size` (<= kRoom) bytes at the end of the file; wrote() says how many of them were filled.
  static constexpr std::size_t kRoom = 1 << 12;
  unsigned char* room() {
    if (kBuffer - used_ < kRoom) drain();
    return buffer_.data() + used_;
  }
  void wrote(std::size_t size) noexcept { used_ += size; }

  void append(const void* data, std::size_t size);
  // LEB128: seven bits a byte, the lowest first.
  void varint(std::uint64_t value) { wrote(put_varint(room(), value)); }
  static std::size_t put_varint(unsigned char* out, std::uint64_t value) noexcept {
    std::size_t size = 0;
    for (; value >= 0x80; value >>= 7) out[size++] = static_cast<unsigned char>(value | 0x80);
    out[size++] = static_cast<unsigned char>(value);
    return size;
  }

  std::uint64_t position() const noexcept { return written_ + used_; }
  // The checksum of what is appended from here on.
  void start_section();
  std::uint64_t section_checksum();
  // Replaces bytes already appended; outside the checksum of the section they are in.
  void overwrite(std::uint64_t offset, const void* data, std::size_t size);
  void close();

 private:
  static constexpr std::size_t kBuffer = 1 << 18;
  void drain();
  void write_at(std::uint64_t offset, const unsigned char* data, std::size_t size);
  std::string path_;
  std::vector<unsigned char> buffer_;
  int descriptor_;
  std::size_t used_ = 0;
  std::uint64_t written_ = 0;
  Checksum checksum_;
};

// Reads sections of a file through a buffer. Reads past a section's end throw DamagedFile.
class FileReader {
 public:
  explicit FileReader(const std::string& path, std::size_t buffer_bytes = 1 << 18);
  ~FileReader();
  FileReader(FileReader&& other) noexcept;
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }
  // The file's header, checked against the kind of file that is expected.
  FileHeader header(std::uint64_t magic, std::uint64_t version, std::string_view kind);

  // Goes to a section (DamagedFile if the file is too short for it).
  void start_section(std::uint64_t offset, std::uint64_t length);
  std::uint64_t left() const noexcept { return unread_ + (end_ - next_); }
  // A pointer to what is next: to at least min(kLookahead, left()) bytes, then zeros up to kLookahead.
  static constexpr std::size_t kLookahead = 1 << 10;
  const unsigned char* ahead() {
    if (end_ - next_ < kLookahead && unread_ != 0) fill();
    return buffer_.data() + next_;
  }
  void consume(std::size_t size) {
    if (size > end_ - next_) damaged("it ends too early");
    next_ += size;
  }
  std::uint64_t varint();
  void read(void* out, std::size_t size);
  // Throws DamagedFile unless the section has been read to its end and its checksum is `expected`.
  void finish_section(std::uint64_t expected);

  [[noreturn]] void damaged(const std::string& what) const;

 private:
  void fill();
  void read_at(std::uint64_t offset, unsigned char* out, std::size_t size);
  std::string path_;
  std::size_t capacity_;
  std::vector<unsigned char> buffer_;  // capacity_ bytes, and kLookahead zeros behind what is read
  int descriptor_;
  std::uint64_t size_ = 0;
  std::size_t next_ = 0, end_ = 0;
  std::uint64_t offset_ = 0, unread_ = 0;  // of the section, beyond the buffer
  Checksum checksum_;
};

}  // namespace corpusprep::ngrams
