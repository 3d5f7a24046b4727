// Streams of records in checked frames: stage files that are written and read in pieces which the caller moves.
//
// A stream is
//   header   a FileHeader; its fields are n, keys, checksum of the keys, parameter
//   frames   u32 payload size, u32 check of the size, payload, u64 checksum of the checksum before it and the payload;
//            the checksum before the first frame is that of the header
//   end      a frame whose size has its top bit set; its payload is u64 records, u64 origin, u64 bytes of the longest
//            record
// and nothing after it. A payload is a list of whole records (u32 size, bytes). It has up to 2 * kFrameSize bytes, or
// one longer record alone.
//
// Why these streams have frames, not one section with one checksum: Thousands of them are merged at once, more than a
// process may have open files, so the caller opens them for one piece at a time. Each piece is checked before its
// content is used, and no reader needs an index. A frame costs 16 bytes per 16 kB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/stage_file.hpp"

namespace corpusprep {

// A frame ends when its payload has this many bytes. Each stream of a merge holds one frame, so frames are small.
inline constexpr std::size_t kFrameSize = std::size_t{16} << 10;

// What the content of a stream depends on.
struct StreamHeader {
  std::uint32_t n = 0;              // length of the n-grams
  std::uint64_t keys = 0;           // how many duplicate n-grams there are
  std::uint64_t keys_checksum = 0;  // of the file of keys; streams made with different keys are never merged
  std::uint64_t parameter = 0;      // another setting that the content depends on
  bool operator==(const StreamHeader&) const = default;
};

void append_u32(std::string& out, std::uint32_t value);
void append_u64(std::string& out, std::uint64_t value);
// Appends the low `width` (1 to 8) bytes of `value`.
void append_bytes(std::string& out, std::uint64_t value, unsigned width);
void append_varint(std::string& out, std::uint64_t value);

// Reads values from the front of a view. Throws DamagedContent where the view ends too early.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) noexcept : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - next_); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(bytes(4)); }
  std::uint64_t u64() { return bytes(8); }
  std::uint64_t bytes(unsigned width);
  std::uint64_t varint();
  // A number that must not exceed `limit`.
  std::uint64_t varint(std::uint64_t limit);
  std::string_view view(std::size_t size);

 private:
  const char* next_;
  const char* end_;
};

// Bytes at the end of each stream. longest_record() reads the size of the longest record from them, unchecked.
inline constexpr std::size_t kEndSize = 40;
std::uint64_t longest_record(std::string_view end);

class FrameWriter {
 public:
  FrameWriter(const FileFormat& format, const StreamHeader& header);
  // Adds a record of less than 2^30 bytes. The writer then holds less than kFrameSize bytes, the record, and what is
  // ready.
  void record(std::string_view bytes);
  // Ends the stream. `origin` identifies the stream that this one was made from; 0 if there is none.
  void finish(std::uint64_t origin);
  // The bytes that are ready. The caller takes them and clears the string.
  std::string& ready() noexcept { return ready_; }

 private:
  void frame(std::uint32_t flag);
  std::string ready_, payload_;
  std::uint64_t checksum_, records_ = 0, longest_ = 0;
};

// Takes a stream in pieces of any size and gives its records in order.
class FrameReader {
 public:
  explicit FrameReader(const FileFormat& format) : format_(format) {}
  // Takes the next bytes of the stream; an empty piece says that there are no more. Invalidates all views given before.
  // The reader holds these bytes and the unread part of the current frame.
  void feed(std::string_view bytes);
  // Gives the next record. Returns false if more bytes are needed first, or at the end of the stream. Throws
  // DamagedContent if the stream is damaged.
  bool next(std::string_view& record);
  // Position in the stream of the bytes that must be fed next: after those fed before, unless drop() was called.
  std::uint64_t wanted() const noexcept { return offset_ + buffer_.size(); }
  // Whether the frame of the last record is longer than most. It then holds only this record.
  bool long_frame() const noexcept { return frame_size_ > 2 * kFrameSize; }
  // Forgets the frame of the last record. Its bytes must be fed again; next() then gives that record again.
  void drop();
  const StreamHeader& header() const noexcept { return header_; }
  bool done() const noexcept { return done_; }
  // Valid once done(): the checksum of the stream, and its origin.
  std::uint64_t checksum() const noexcept { return checksum_; }
  std::uint64_t origin() const noexcept { return origin_; }

 private:
  bool read_header();
  bool read_frame();
  FileFormat format_;
  StreamHeader header_;
  std::string buffer_;
  std::uint64_t offset_ = 0;  // of buffer_ in the stream
  std::size_t position_ = 0;  // of the first byte in buffer_ that has not been looked at
  // The current frame: where it starts in the stream, its size; checksum and number of records before it.
  std::uint64_t frame_offset_ = 0, frame_size_ = 0, checksum_before_ = 0, records_before_ = 0;
  std::uint64_t skipped_ = 0;  // records of the next frame that were given already
  std::string_view payload_;   // the unread part of the current frame
  std::uint64_t checksum_ = 0, records_ = 0, origin_ = 0;
  bool header_known_ = false, done_ = false, ended_ = false;
};

}  // namespace corpusprep
