#include "io/framed.hpp"

#include <algorithm>

#include "common/hash.hpp"

namespace corpusprep::blocks {

namespace {

constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kHeaderSize = 64;
// Room that is kept where it is not needed at once: that of a long record would stay to the end.
constexpr std::size_t kMostRoom = 4 * kFrameSize;
constexpr std::uint32_t kEndFlag = 0x80000000u;

std::uint64_t load(const char* from, unsigned width) noexcept {
  std::uint64_t value = 0;
  for (unsigned b = 0; b < width; ++b) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[b])) << (8 * b);
  }
  return value;
}

// Gives a string room for exactly `size` bytes, its own or more. By itself it would double its room.
void set_room(std::string& string, std::size_t size) {
  std::string fitting;
  fitting.reserve(size);
  fitting.append(string);
  string.swap(fitting);
}

// Room for `size` bytes; of many that come bit by bit, room for some more.
void make_room(std::string& string, std::size_t size) {
  if (string.capacity() < size) set_room(string, size > kMostRoom ? size + size / 8 : size);
}

std::uint32_t size_check(std::uint32_t size, std::uint64_t checksum) noexcept {
  return static_cast<std::uint32_t>(mix64(checksum + size));
}

std::uint64_t chained(std::uint64_t checksum, std::string_view payload) noexcept {
  return mix64(checksum ^ word_key(payload));
}

[[noreturn]] void damaged() { throw StreamError("is damaged (its checksum does not match)"); }

}  // namespace

void append_bytes(std::string& out, std::uint64_t value, unsigned width) {
  char bytes[8];
  for (unsigned b = 0; b < width; ++b) bytes[b] = static_cast<char>(value >> (8 * b));
  out.append(bytes, width);
}

void append_u32(std::string& out, std::uint32_t value) { append_bytes(out, value, 4); }
void append_u64(std::string& out, std::uint64_t value) { append_bytes(out, value, 8); }

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

std::uint64_t ByteCursor::bytes(unsigned width) {
  if (left() < width) damaged();
  // One load of eight bytes where the view is long enough, which is nearly always.
  const std::uint64_t value =
      left() >= 8 ? load(next_, 8) & (width == 8 ? ~0ULL : (1ULL << (8 * width)) - 1) : load(next_, width);
  next_ += width;
  return value;
}

std::uint64_t ByteCursor::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (next_ == end_) damaged();
    const auto byte = static_cast<unsigned char>(*next_++);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  damaged();
}

std::uint64_t ByteCursor::varint(std::uint64_t limit) {
  const std::uint64_t value = varint();
  if (value > limit) damaged();
  return value;
}

std::string_view ByteCursor::view(std::size_t size) {
  if (left() < size) damaged();
  next_ += size;
  return {next_ - size, size};
}

std::uint64_t longest_record(std::string_view end) {
  ByteCursor cursor(end);
  cursor.view(kEndSize - 16);
  return cursor.u64();
}

FrameWriter::FrameWriter(const StreamHeader& header) {
  ready_.assign(header.magic.data(), header.magic.size());
  append_u32(ready_, kVersion);
  append_u32(ready_, header.n);
  append_u64(ready_, header.keys);
  append_u64(ready_, header.keys_checksum);
  append_u64(ready_, header.parameter);
  ready_.resize(kHeaderSize - 8);
  checksum_ = word_key(ready_);
  append_u64(ready_, checksum_);
}

void FrameWriter::record(std::string_view bytes) {
  if (bytes.size() >= kEndFlag / 2) throw std::runtime_error("a record of a gigabyte: no document is that large");
  // A long record has a frame of its own, which can be dropped and read again for its sake alone.
  if (!payload_.empty() && payload_.size() + 4 + bytes.size() > 2 * kFrameSize) frame(0);
  make_room(payload_, std::max(kFrameSize, payload_.size() + 4 + bytes.size()));
  append_u32(payload_, static_cast<std::uint32_t>(bytes.size()));
  payload_.append(bytes);
  ++records_;
  longest_ = std::max<std::uint64_t>(longest_, bytes.size());
  if (payload_.size() >= kFrameSize) frame(0);
}

void FrameWriter::finish(std::uint64_t origin) {
  if (!payload_.empty()) frame(0);
  append_u64(payload_, records_);
  append_u64(payload_, origin);
  append_u64(payload_, longest_);
  frame(kEndFlag);
}

void FrameWriter::frame(std::uint32_t flag) {
  const std::uint32_t size = static_cast<std::uint32_t>(payload_.size()) | flag;
  make_room(ready_, ready_.size() + payload_.size() + 16);
  append_u32(ready_, size);
  append_u32(ready_, size_check(size, checksum_));
  ready_.append(payload_);
  checksum_ = chained(checksum_, payload_);
  append_u64(ready_, checksum_);
  payload_.clear();
  if (payload_.capacity() > kMostRoom) payload_.shrink_to_fit();
}

void FrameReader::feed(std::string_view bytes) {
  if (bytes.empty()) {
    ended_ = true;
    return;
  }
  if (done_) throw StreamError("has bytes after its end");
  // What is left of the frame being read is kept; the view of it moves with the buffer.
  const std::size_t kept_from =
      payload_.empty() ? position_ : static_cast<std::size_t>(payload_.data() - buffer_.data());
  buffer_.erase(0, kept_from);
  offset_ += kept_from;
  position_ -= kept_from;
  const std::size_t size = buffer_.size() + bytes.size();
  if (buffer_.capacity() > 2 * size + kMostRoom) set_room(buffer_, size);
  make_room(buffer_, size);
  buffer_.append(bytes);
  if (!payload_.empty()) payload_ = std::string_view(buffer_).substr(0, payload_.size());
}

void FrameReader::drop() {
  skipped_ = records_ - records_before_ - 1;
  records_ = records_before_;
  checksum_ = checksum_before_;
  offset_ = frame_offset_;
  position_ = 0;
  payload_ = {};
  std::string().swap(buffer_);
}

bool FrameReader::read_header() {
  if (buffer_.size() - position_ < kHeaderSize) {
    if (ended_) throw StreamError("is cut short");
    return false;
  }
  const std::string_view bytes = std::string_view(buffer_).substr(position_, kHeaderSize);
  ByteCursor cursor(bytes);
  if (cursor.view(8) != std::string_view(magic_.data(), magic_.size()) || cursor.u32() != kVersion) {
    throw StreamError("is not a file of this stage and version");
  }
  header_.magic = magic_;
  header_.n = cursor.u32();
  header_.keys = cursor.u64();
  header_.keys_checksum = cursor.u64();
  header_.parameter = cursor.u64();
  checksum_ = word_key(bytes.substr(0, kHeaderSize - 8));
  if (checksum_ != load(bytes.data() + kHeaderSize - 8, 8)) damaged();
  position_ += kHeaderSize;
  return header_known_ = true;
}

bool FrameReader::read_frame() {
  const std::string_view rest = std::string_view(buffer_).substr(position_);
  std::size_t needed = 8, size = 0;
  if (rest.size() >= needed) {
    const auto field = static_cast<std::uint32_t>(load(rest.data(), 4));
    // Checked on its own, so that a wrong size is never waited for.
    if (load(rest.data() + 4, 4) != size_check(field, checksum_)) damaged();
    size = field & ~kEndFlag;
    needed = 16 + size;
    if (rest.size() >= needed) {
      const std::string_view payload = rest.substr(8, size);
      frame_offset_ = offset_ + position_;
      frame_size_ = size;
      checksum_before_ = checksum_;
      records_before_ = records_;
      checksum_ = chained(checksum_, payload);
      if (checksum_ != load(rest.data() + 8 + size, 8)) damaged();
      position_ += needed;
      if (field & kEndFlag) {
        ByteCursor cursor(payload);
        if (cursor.u64() != records_) damaged();
        origin_ = cursor.u64();
        done_ = true;
        if (rest.size() > needed) throw StreamError("has bytes after its end");
      } else {
        payload_ = payload;
      }
      return true;
    }
  }
  if (ended_) throw StreamError("is cut short");
  return false;
}

bool FrameReader::next(std::string_view& record) {
  if (!header_known_ && !read_header()) return false;
  if (payload_.empty() && long_frame()) {
    buffer_.erase(0, position_);
    set_room(buffer_, buffer_.size());
    offset_ += position_;
    position_ = frame_size_ = 0;
  }
  while (payload_.empty() && !done_) {
    if (!read_frame()) return false;
  }
  if (done_) return false;
  const auto take = [this] {
    ByteCursor cursor(payload_);
    const std::size_t size = cursor.u32();
    const std::string_view taken = cursor.view(size);
    payload_.remove_prefix(4 + size);
    ++records_;
    return taken;
  };
  for (; skipped_ > 0; --skipped_) take();
  record = take();
  return true;
}

}  // namespace corpusprep::blocks
