#include "io/frames.hpp"

#include <algorithm>

#include "common/hash.hpp"

namespace corpusprep {

namespace {

// Capacity that an empty buffer keeps. A buffer that grew for a long record gives its memory back.
constexpr std::size_t kMostRoom = 4 * kFrameSize;
constexpr std::uint32_t kEndFlag = 0x80000000u;

std::uint64_t load(const char* from, unsigned width) noexcept {
  std::uint64_t value = 0;
  for (unsigned b = 0; b < width; ++b) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[b])) << (8 * b);
  }
  return value;
}

// Sets the capacity to exactly `size` bytes, at least those it has. A string that grows by itself doubles its capacity.
void set_room(std::string& string, std::size_t size) {
  std::string fitting;
  fitting.reserve(size);
  fitting.append(string);
  string.swap(fitting);
}

// Makes room for `size` bytes. A large buffer gets an eighth more, as it may grow in many small steps.
void make_room(std::string& string, std::size_t size) {
  if (string.capacity() < size) set_room(string, size > kMostRoom ? size + size / 8 : size);
}

std::uint32_t size_check(std::uint32_t size, std::uint64_t before) noexcept {
  return static_cast<std::uint32_t>(mix64(before + size));
}

std::uint64_t frame_checksum(std::uint64_t before, std::string_view payload) noexcept {
  Checksum checksum;
  checksum.update(&before, sizeof before);
  checksum.update(payload.data(), payload.size());
  return checksum.value();
}

[[noreturn]] void damaged() { throw DamagedContent("its checksum is wrong"); }

}  // namespace

void append_bytes(std::string& out, std::uint64_t value, unsigned width) {
  char bytes[8];
  for (unsigned b = 0; b < width; ++b) bytes[b] = static_cast<char>(value >> (8 * b));
  out.append(bytes, width);
}

void append_u32(std::string& out, std::uint32_t value) { append_bytes(out, value, 4); }
void append_u64(std::string& out, std::uint64_t value) { append_bytes(out, value, 8); }

void append_varint(std::string& out, std::uint64_t value) {
  unsigned char bytes[kLongestVarint];
  out.append(reinterpret_cast<const char*>(bytes), put_varint(bytes, value));
}

std::uint64_t ByteCursor::bytes(unsigned width) {
  if (left() < width) damaged();
  // The view is nearly always long enough for one load of eight bytes.
  const std::uint64_t value =
      left() >= 8 ? load(next_, 8) & (width == 8 ? ~0ULL : (1ULL << (8 * width)) - 1) : load(next_, width);
  next_ += width;
  return value;
}

std::uint64_t ByteCursor::varint() {
  const auto [value, next] =
      get_varint(reinterpret_cast<const unsigned char*>(next_), reinterpret_cast<const unsigned char*>(end_));
  if (next == nullptr) damaged();
  next_ = reinterpret_cast<const char*>(next);
  return value;
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

FrameWriter::FrameWriter(const FileFormat& format, const StreamHeader& header) {
  const auto head = FileHeader::of(format, {header.n, header.keys, header.keys_checksum, header.parameter});
  ready_.assign(reinterpret_cast<const char*>(&head), sizeof head);
  checksum_ = head.checksum;
}

void FrameWriter::record(std::string_view bytes) {
  if (bytes.size() >= kEndFlag / 2)
    throw std::length_error("a document has a record of 1 GB or more, which is too large");
  // A long record has its own frame, so that a reader can drop it and read it again.
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
  checksum_ = frame_checksum(checksum_, payload_);
  append_u64(ready_, checksum_);
  payload_.clear();
  if (payload_.capacity() > kMostRoom) payload_.shrink_to_fit();
}

void FrameReader::feed(std::string_view bytes) {
  if (bytes.empty()) {
    ended_ = true;
    return;
  }
  if (done_) throw DamagedContent("it has bytes after its end");
  // The unread part of the current frame is kept, and the view of it moves with the buffer.
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
  if (buffer_.size() - position_ < FileHeader::kBytes) {
    if (ended_) throw DamagedContent("it is cut short");
    return false;
  }
  const auto head = FileHeader::parse(buffer_.data() + position_, format_);
  header_ = {static_cast<std::uint32_t>(head.fields[0]), head.fields[1], head.fields[2], head.fields[3]};
  checksum_ = head.checksum;
  position_ += FileHeader::kBytes;
  header_known_ = true;
  return true;
}

bool FrameReader::read_frame() {
  const std::string_view rest = std::string_view(buffer_).substr(position_);
  std::size_t needed = 8, size = 0;
  if (rest.size() >= needed) {
    const auto field = static_cast<std::uint32_t>(load(rest.data(), 4));
    // The size has its own check: a reader must not wait for the bytes of a wrong size.
    if (load(rest.data() + 4, 4) != size_check(field, checksum_)) damaged();
    size = field & ~kEndFlag;
    needed = 16 + size;
    if (rest.size() >= needed) {
      const std::string_view payload = rest.substr(8, size);
      frame_offset_ = offset_ + position_;
      frame_size_ = size;
      checksum_before_ = checksum_;
      records_before_ = records_;
      checksum_ = frame_checksum(checksum_, payload);
      if (checksum_ != load(rest.data() + 8 + size, 8)) damaged();
      position_ += needed;
      if (field & kEndFlag) {
        ByteCursor cursor(payload);
        if (cursor.u64() != records_) damaged();
        origin_ = cursor.u64();
        done_ = true;
        if (rest.size() > needed) throw DamagedContent("it has bytes after its end");
      } else {
        payload_ = payload;
      }
      return true;
    }
  }
  if (ended_) throw DamagedContent("it is cut short");
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

}  // namespace corpusprep
