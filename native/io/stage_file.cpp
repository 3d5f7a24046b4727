#include "io/stage_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "common/hash.hpp"

namespace corpusprep {

FileError::FileError(const std::string& file, int error, bool missing_input)
    : std::runtime_error(file + ": " + std::strerror(error)), path(file), code(error), missing_input(missing_input) {}

DamagedFile::DamagedFile(const std::string& path, const std::string& what)
    : std::runtime_error(path + ": " + what + "; run the step that writes it again") {}

void Checksum::update(const void* data, std::size_t size) noexcept {
  auto bytes = static_cast<const unsigned char*>(data);
  const std::size_t waiting = size_ % 8;
  size_ += size;
  if (waiting != 0) {
    const std::size_t taken = std::min(size, 8 - waiting);
    std::memcpy(rest_.data() + waiting, bytes, taken);
    if (waiting + taken < 8) return;
    std::uint64_t word;
    std::memcpy(&word, rest_.data(), 8);
    group(word);
    bytes += taken;
    size -= taken;
  }
  for (; size >= 8; bytes += 8, size -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    group(word);
  }
  std::memcpy(rest_.data(), bytes, size);
}

std::uint64_t Checksum::value() const noexcept {
  std::uint64_t last = 0;
  std::memcpy(&last, rest_.data(), size_ % 8);
  return mix64(((std::rotl(state_, 29) ^ last) * 0x9E3779B97F4A7C15ULL) ^ size_);
}

namespace {

std::uint64_t header_checksum(const FileHeader& header) noexcept {
  Checksum sum;
  sum.update(&header, offsetof(FileHeader, checksum));
  return sum.value();
}

}  // namespace

FileHeader FileHeader::of(const FileFormat& format, const Fields& fields) noexcept {
  FileHeader header{format.magic, format.version, fields, 0};
  header.checksum = header_checksum(header);
  return header;
}

FileHeader FileHeader::parse(const void* bytes, const FileFormat& format) {
  FileHeader header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.magic != format.magic) throw DamagedContent("it is not " + std::string(format.name));
  if (header.version != format.version) {
    throw DamagedContent("it is " + std::string(format.name) + " of version " + std::to_string(header.version) +
                         ", not " + std::to_string(format.version));
  }
  if (header.checksum != header_checksum(header)) throw DamagedContent("its header is damaged");
  return header;
}

FileWriter::FileWriter(const std::string& path, Opened)
    : path_(path), buffer_(kBuffer), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw FileError(path_, errno);
}

// The object exists once it has opened the file: if the header does not fit the disk, the destructor closes it.
FileWriter::FileWriter(const std::string& path, std::size_t header_bytes) : FileWriter(path, Opened{}) {
  const std::vector<char> zeros(header_bytes);
  append(zeros.data(), zeros.size());
  start_section();
}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileWriter::write_at(std::uint64_t offset, const unsigned char* data, std::size_t size) {
  while (size != 0) {
    const ssize_t count = ::pwrite(descriptor_, data, size, static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      throw FileError(path_, errno);
    }
    data += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

void FileWriter::drain() {
  checksum_.update(buffer_.data(), used_);
  write_at(written_, buffer_.data(), used_);
  written_ += used_;
  used_ = 0;
}

void FileWriter::append(const void* data, std::size_t size) {
  auto bytes = static_cast<const unsigned char*>(data);
  while (size != 0) {
    if (used_ == kBuffer) drain();
    const std::size_t count = std::min(size, kBuffer - used_);
    std::memcpy(buffer_.data() + used_, bytes, count);
    used_ += count;
    bytes += count;
    size -= count;
  }
}

void FileWriter::front_coded(std::string_view string, std::string& previous) {
  const auto end = std::ranges::mismatch(string, previous).in1;
  const auto shared = static_cast<std::size_t>(end - string.begin());
  varint(shared);
  varint(string.size() - shared);
  append(string.data() + shared, string.size() - shared);
  previous.assign(string);
}

void FileWriter::start_section() {
  drain();
  checksum_ = {};
}

std::uint64_t FileWriter::section_checksum() {
  drain();
  return checksum_.value();
}

std::uint64_t FileWriter::finish(const FileFormat& format, const FileHeader::Fields& fields) {
  const FileHeader header = FileHeader::of(format, fields);
  drain();
  unsigned char bytes[FileHeader::kBytes];
  std::memcpy(bytes, &header, sizeof bytes);
  write_at(0, bytes, sizeof bytes);
  close();
  return header.checksum;
}

void FileWriter::close() {
  drain();
  if (::close(std::exchange(descriptor_, -1)) != 0) throw FileError(path_, errno);
}

FileReader::FileReader(const std::string& path, std::size_t buffer_bytes)
    : path_(path),
      capacity_(std::max(buffer_bytes, 2 * kLookahead)),
      buffer_(capacity_ + kLookahead),
      descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw FileError(path_, errno, errno == ENOENT);
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) {
    const int code = errno;
    ::close(descriptor_);
    throw FileError(path_, code);
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

FileReader::FileReader(FileReader&& other) noexcept
    : path_(std::move(other.path_)),
      capacity_(other.capacity_),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      next_(other.next_),
      end_(other.end_),
      offset_(other.offset_),
      unread_(other.unread_),
      checksum_(other.checksum_) {}

FileReader::~FileReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileReader::damaged(const std::string& what) const { throw DamagedFile(path_, what); }

void FileReader::read_at(std::uint64_t offset, unsigned char* out, std::size_t size) {
  while (size != 0) {
    const ssize_t count = ::pread(descriptor_, out, size, static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      throw FileError(path_, errno);
    }
    if (count == 0) damaged("it was cut short while it was read");
    out += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

FileHeader FileReader::header(const FileFormat& format) {
  if (size_ < FileHeader::kBytes) damaged("it is too short to be " + std::string(format.name));
  unsigned char bytes[FileHeader::kBytes];
  read_at(0, bytes, sizeof bytes);
  try {
    return FileHeader::parse(bytes, format);
  } catch (const DamagedContent& fault) {
    damaged(fault.what());
  }
}

void FileReader::start_section(std::uint64_t offset, std::uint64_t length) {
  if (offset > size_ || length > size_ - offset) damaged("it is cut short");
  offset_ = offset;
  unread_ = length;
  next_ = end_ = 0;
  checksum_ = {};
}

void FileReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + next_, end_ - next_);
  end_ -= next_;
  next_ = 0;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(unread_, capacity_ - end_));
  read_at(offset_, buffer_.data() + end_, size);
  checksum_.update(buffer_.data() + end_, size);
  offset_ += size;
  unread_ -= size;
  end_ += size;
  std::memset(buffer_.data() + end_, 0, kLookahead);
}

std::uint64_t FileReader::varint() {
  const unsigned char* const bytes = ahead();
  const auto [value, next] = get_varint(bytes, bytes + kLongestVarint);
  if (next == nullptr) damaged("a number in it is damaged");
  consume(static_cast<std::size_t>(next - bytes));
  return value;
}

void FileReader::front_coded(std::string& string) {
  const std::uint64_t shared = varint();
  const std::uint64_t length = varint();
  if (shared > string.size() || length == 0 || length > left()) damaged("a word in it is damaged");
  const int before = shared < string.size() ? static_cast<unsigned char>(string[shared]) : -1;
  string.resize(shared + length);
  read(string.data() + shared, length);
  const int first = static_cast<unsigned char>(string[shared]);
  if (first <= before) damaged("its words are out of order");
}

void FileReader::read(void* out, std::size_t size) {
  auto bytes = static_cast<unsigned char*>(out);
  while (size != 0) {
    if (next_ == end_ && unread_ != 0) fill();
    if (next_ == end_) damaged("it ends too early");
    const std::size_t count = std::min(size, end_ - next_);
    std::memcpy(bytes, buffer_.data() + next_, count);
    next_ += count;
    bytes += count;
    size -= count;
  }
}

void FileReader::finish_section(std::uint64_t expected) {
  if (left() != 0) damaged("it is longer than its header says");
  if (checksum_.value() != expected) damaged("its checksum is wrong");
}

}  // namespace corpusprep
