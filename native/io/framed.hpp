// Framed streams: records in checked frames, so that a file cut short or changed is noticed before its content is used.
//
// All integers are little endian. A stream is
//   header   64 bytes: magic[8], u32 version, u32 n, u64 keys, u64 keys checksum, u64 parameter, zeros, u64 checksum
//   frames   u32 payload size, u32 check of the size, payload, u64 checksum of all payloads so far
//   end      a frame whose size has its top bit set; its payload is u64 records, u64 origin,
//            u64 bytes of the longest record
// and nothing after it. A payload is a list of whole records (u32 size, bytes), of up to 2 * kFrameSize bytes or one
// alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace corpusprep::blocks {

// Bytes of a payload from which a frame ends. Thousands of streams are merged at once, each holding a frame: frames are
// small, at 0.1 % of overhead.
inline constexpr std::size_t kFrameSize = 16 << 10;

// What is wrong with a stream, worded to follow its name: "is cut short".
class StreamError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct StreamHeader {
  std::array<char, 8> magic{};
  std::uint32_t n = 0;              // length of the n-grams
  std::uint64_t keys = 0;           // how many duplicate n-grams there are
  std::uint64_t keys_checksum = 0;  // of their file: streams of different n-grams are never mixed
  std::uint64_t parameter = 0;      // a further setting the content depends on
  bool operator==(const StreamHeader&) const = default;
};

void append_u32(std::string& out, std::uint32_t value);
void append_u64(std::string& out, std::uint64_t value);
// The low `width` (1 to 8) bytes of `value`.
void append_bytes(std::string& out, std::uint64_t value, unsigned width);
// LEB128: seven bits a byte, the lowest first.
void append_varint(std::string& out, std::uint64_t value);

// Reads values off the front of a view; StreamError where it ends too early.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) noexcept : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - next_); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(bytes(4)); }
  std::uint64_t u64() { return bytes(8); }
  std::uint64_t bytes(unsigned width);
  std::uint64_t varint();
  // A varint that must not exceed `limit`.
  std::uint64_t varint(std::uint64_t limit);
  std::string_view view(std::size_t size);

 private:
  const char* next_;
  const char* end_;
};

// What a stream ends with: kEndSize bytes, of which longest_record() reads the longest record, unchecked.
inline constexpr std::size_t kEndSize = 40;
std::uint64_t longest_record(std::string_view end);

class FrameWriter {
 public:
  explicit FrameWriter(const StreamHeader& header);
  // Adds a record (under 2^31 bytes). The writer then holds under kFrameSize bytes and the record, and what is ready.
  void record(std::string_view bytes);
  // Ends the stream. `origin` ties it to what it was made from (0 if it stands for itself).
  void finish(std::uint64_t origin);
  // The bytes that are ready; the caller takes them and clears the string.
  std::string& ready() noexcept { return ready_; }
  // Checksum of the stream: all its payloads, once finish() has been called.
  std::uint64_t checksum() const noexcept { return checksum_; }

 private:
  void frame(std::uint32_t flag);
  std::string ready_, payload_;
  std::uint64_t checksum_, records_ = 0, longest_ = 0;
};

// Takes a stream in pieces of any size and gives its records in order.
class FrameReader {
 public:
  explicit FrameReader(std::array<char, 8> magic) : magic_(magic) {}
  // More bytes of the stream; none says that there are no more. Views given before become invalid. The reader holds
  // these bytes, and what is left of a frame that is not read to its end.
  void feed(std::string_view bytes);
  // The next record; false if more bytes are needed first, or if the stream is at its end. StreamError if it is
  // damaged.
  bool next(std::string_view& record);
  // Where in the stream the bytes are that must be fed next: behind those fed before, but for drop().
  std::uint64_t wanted() const noexcept { return offset_ + buffer_.size(); }
  // Whether the frame of the record that next() gave is longer than most: it then has this record alone.
  bool long_frame() const noexcept { return frame_size_ > 2 * kFrameSize; }
  // Forgets the frame of the record that next() gave last: it is wanted again, and next() then gives that record again.
  void drop();
  bool header_known() const noexcept { return header_known_; }
  const StreamHeader& header() const noexcept { return header_; }
  bool done() const noexcept { return done_; }
  // Once done: the checksum of the stream, and its origin.
  std::uint64_t checksum() const noexcept { return checksum_; }
  std::uint64_t origin() const noexcept { return origin_; }

 private:
  bool read_header();
  bool read_frame();
  std::array<char, 8> magic_;
  StreamHeader header_;
  std::string buffer_;
  std::uint64_t offset_ = 0;  // in the stream, of buffer_
  std::size_t position_ = 0;  // in buffer_, of what has not been looked at
  // The current frame: where in the stream it starts, its size; checksum and records before it.
  std::uint64_t frame_offset_ = 0, frame_size_ = 0, checksum_before_ = 0, records_before_ = 0;
  std::uint64_t skipped_ = 0;  // records of the next frame that have been given already
  std::string_view payload_;   // what is left of the current frame
  std::uint64_t checksum_ = 0, records_ = 0, origin_ = 0;
  bool header_known_ = false, done_ = false, ended_ = false;
};

}  // namespace corpusprep::blocks
