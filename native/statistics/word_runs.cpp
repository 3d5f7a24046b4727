#include "statistics/word_runs.hpp"

#include "common/hash.hpp"

namespace corpusprep {

namespace {

constexpr FileFormat kFormat{"CPWDRUNS", 1, "a run of counted words"};
constexpr std::size_t kBuffer = std::size_t{1} << 16;

}  // namespace

void WordRunWriter::finish() {
  const std::uint64_t checksum = file_.section_checksum();
  file_.finish(kFormat, {sets_, words_, checksum});
}

WordRunReader::WordRunReader(const std::string& path, std::size_t sets) : file_(path, kBuffer), counts_(sets) {
  const auto fields = file_.header(kFormat).fields;
  if (fields[0] != sets) file_.damaged("its words have another number of counts");
  words_ = fields[1];
  checksum_ = fields[2];
  file_.start_section(FileHeader::kBytes, file_.size() - FileHeader::kBytes);
}

bool WordRunReader::next() {
  if (taken_ == words_) {
    file_.finish_section(checksum_);
    return false;
  }
  ++taken_;
  file_.front_coded(word_);
  for (auto& count : counts_) count = file_.varint();
  return true;
}

bool WordRunMerger::Less::operator()(std::size_t a, std::size_t b) const noexcept {
  if (merger->going_[a] == 0 || merger->going_[b] == 0) return merger->going_[a] != 0;
  if (merger->prefixes_[a] != merger->prefixes_[b]) return merger->prefixes_[a] < merger->prefixes_[b];
  return merger->runs_[a].word() < merger->runs_[b].word();
}

WordRunMerger::WordRunMerger(const std::vector<std::string>& paths, std::size_t sets)
    : prefixes_(paths.size()), going_(paths.size()), counts_(sets) {
  runs_.reserve(paths.size());
  for (const auto& path : paths) runs_.emplace_back(path, sets);
  for (std::size_t run = 0; run < runs_.size(); ++run) advance(run);
  order_ = std::make_unique<Tournament<Less>>(runs_.size(), Less{this});
}

void WordRunMerger::advance(std::size_t run) {
  going_[run] = runs_[run].next();
  if (going_[run] == 0) return;
  const std::string& word = runs_[run].word();
  prefixes_[run] = __builtin_bswap64(word.size() < 8 ? detail::load_few(word.data(), word.size())
                                                     : detail::load_little_endian<std::uint64_t>(word.data()));
}

bool WordRunMerger::next() {
  if (runs_.empty() || going_[order_->first()] == 0) return false;
  std::size_t run = order_->first();
  word_ = runs_[run].word();
  const std::uint64_t prefix = prefixes_[run];
  counts_ = runs_[run].counts();
  for (;;) {
    advance(run);
    order_->replay();
    run = order_->first();
    if (going_[run] == 0 || prefixes_[run] != prefix || runs_[run].word() != word_) return true;
    for (std::size_t set = 0; set < counts_.size(); ++set) counts_[set] += runs_[run].counts()[set];
  }
}

void merge_word_runs(const std::vector<std::string>& paths, std::size_t sets, const std::string& output) {
  WordRunMerger merger(paths, sets);
  WordRunWriter writer(output, sets);
  while (merger.next()) writer.add(merger.word(), merger.counts().data());
  writer.finish();
}

}  // namespace corpusprep
