#include "dedup/lexicon.hpp"

#include "common/hash.hpp"

namespace corpusprep::ngrams {

IdSequence::IdSequence(WordListReader& lexicon) : lexicon_(lexicon), small_(kSmall) {
  const auto words_of = lexicon.histogram();
  std::uint64_t id = 0;
  for (auto pair = words_of.rbegin(); pair != words_of.rend(); ++pair) {
    const auto [frequency, words] = *pair;
    if (words > lexicon.header().words - id) lexicon.damaged("its frequencies do not add up");
    (frequency < kSmall ? small_[frequency] : large_[frequency]) = {id, id + words};
    id += words;
  }
  if (id != lexicon.header().words) lexicon.damaged("its frequencies do not add up");
}

std::uint32_t IdSequence::next(std::uint64_t frequency) {
  Range& range = frequency < kSmall ? small_[frequency] : large_[frequency];
  if (range.next == range.end) lexicon_.damaged("its frequencies do not add up");
  return static_cast<std::uint32_t>(range.next++);
}

std::vector<std::uint64_t> lexicon_keys(const std::string& path, WordListHeader& header) {
  WordListReader file(path, WordListKind::lexicon);
  header = file.header();
  IdSequence ids(file);
  std::vector<std::uint64_t> keys(header.words);
  while (file.next()) keys[ids.next(file.frequency())] = word_key(file.word());
  return keys;
}

}  // namespace corpusprep::ngrams
