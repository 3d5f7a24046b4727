// Fuzz target: the reader of n-gram runs on any file. The input is the file, but for its last bytes: length of the
// n-grams, number of entries.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "corpusprep/runs.hpp"
#include "demand.hpp"

namespace {

using namespace corpusprep::ngrams;

// A file in memory that has a path.
class MemoryFile {
 public:
  MemoryFile(const void* data, std::size_t size) : descriptor_(::memfd_create("fuzz", 0)) {
    demand(descriptor_ >= 0 && ::write(descriptor_, data, size) == static_cast<ssize_t>(size));
  }
  ~MemoryFile() { ::close(descriptor_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// The file with the header's and the index's checksums put right, so that what is behind them is reached.
std::string sealed(std::string file) {
  FileHeader header;
  if (file.size() < sizeof header) return file;
  std::memcpy(&header, file.data(), sizeof header);
  header.magic = magic_number("CPNGRUNS");
  header.version = 1;
  const std::uint64_t index = header.fields[8] %= file.size() + 1;
  Checksum checksum;
  checksum.update(file.data() + index, file.size() - index);
  header.fields[9] = checksum.value();
  header.seal();
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

void read_run(const std::string& path, const RunSpan& span, std::uint32_t n) {
  RunReader reader(path, span, n, 0);
  NgramCode before;
  std::uint32_t ids[kLongestNgram];
  for (bool first = true; reader.next(); first = false) {
    const auto& code = reader.code();
    demand(code.bytes > 0 && code.used_groups() <= kMostGroups && reader.count() > 0);
    if (!first) demand(std::memcmp(&before, &code, sizeof code) != 0);
    decode_ngram(code, n, ids);
    before = code;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  size -= 2;
  const std::uint32_t n = 1 + data[size] % kLongestNgram;
  const RunSpan whole{0, size, data[size + 1] % 64ULL, 0};
  try {
    read_run(MemoryFile(data, size).path(), whole, n);
  } catch (const DamagedFile&) {
  }
  try {
    const auto file = sealed(std::string(reinterpret_cast<const char*>(data), size));
    const MemoryFile stored(file.data(), file.size());
    for (const auto& span : read_runs_header(stored.path()).runs) read_run(stored.path(), span, n);
  } catch (const DamagedFile&) {
  }
  return 0;
}
