// Fuzz target: the reader of n-gram runs on any file, and the merge of these runs. The input is the file; its last two
// bytes are the length of the n-grams and the number of entries.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "dedup/merge.hpp"
#include "dedup/runs.hpp"
#include "demand.hpp"

namespace {

using namespace corpusprep;
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

// Corrects the checksums of the header and the index, so that the content after them is reached.
std::string sealed(std::string file) {
  FileHeader header;
  if (file.size() < sizeof header) return file;
  std::memcpy(&header, file.data(), sizeof header);
  const std::uint64_t index = header.fields[8] %= file.size() + 1;
  Checksum checksum;
  checksum.update(file.data() + index, file.size() - index);
  header.fields[9] = checksum.value();
  header = FileHeader::of(kRunsFormat, header.fields);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

bool ascending(const NgramCode& before, const NgramCode& code) {
  std::size_t g = 0;
  while (g < before.used_groups() && g < code.used_groups() && before.groups[g] == code.groups[g]) ++g;
  if (g == before.used_groups() || g == code.used_groups()) return before.bytes < code.bytes;
  return before.groups[g] < code.groups[g];
}

void read_run(const std::string& path, const RunSpan& span, std::uint32_t n) {
  RunReader reader(path, span, n, 0);
  NgramCode before;
  std::uint32_t ids[kLongestNgram];
  for (bool first = true; reader.next(); first = false) {
    const auto& code = reader.code();
    demand(code.bytes > 0 && code.used_groups() <= kMostGroups && reader.count() > 0);
    demand(first || ascending(before, code));
    decode_ngram(code, n, ids);
    before = code;
  }
}

// Makes a run with the checksum of its bytes.
RunSpan run(const std::uint8_t* data, std::size_t offset, std::size_t bytes, std::uint64_t entries) {
  Checksum checksum;
  checksum.update(data + offset, bytes);
  return {offset, bytes, entries, checksum.value()};
}

// Merges the two halves of the file as runs.
void merge_halves(const std::string& path, const RunSpan& one, const RunSpan& other, std::uint32_t n) {
  RunMerger merger({{path, one}, {path, other}}, n, 0);
  std::uint64_t ngrams = 0;
  for (; merger.next(); ++ngrams) demand(merger.code().bytes > 0 && ngrams < merger.entries());
  demand(merger.entries() == one.entries + other.entries);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  size -= 2;
  const std::uint32_t n = 1 + data[size] % kLongestNgram;
  const std::uint64_t entries = data[size + 1] % 64ULL;
  const MemoryFile given(data, size);
  try {
    read_run(given.path(), run(data, 0, size, entries), n);
  } catch (const DamagedFile&) {
  }
  try {
    const auto half = size / 2;
    merge_halves(given.path(), run(data, 0, half, entries % 8), run(data, half, size - half, entries / 8), n);
  } catch (const std::runtime_error&) {  // n-grams of different lengths: no file can be blamed
  }
  try {
    const auto file = sealed(std::string(reinterpret_cast<const char*>(data), size));
    const MemoryFile stored(file.data(), file.size());
    for (const auto& span : read_runs_header(stored.path()).runs) read_run(stored.path(), span, n);
  } catch (const DamagedFile&) {
  }
  return 0;
}
