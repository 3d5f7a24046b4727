// Runs of counted words: in the order of their bytes, in a file each; and their merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/tournament.hpp"
#include "io/stage_file.hpp"

namespace corpusprep {

class WordRunWriter {
 public:
  // Each word has `sets` counts.
  WordRunWriter(const std::string& path, std::size_t sets) : file_(path), sets_(sets) {}
  // Words are not empty and in strictly ascending order.
  template <class Count>
  void add(std::string_view word, const Count* counts) {
    file_.front_coded(word, previous_);
    for (std::size_t set = 0; set < sets_; ++set) file_.varint(static_cast<std::uint64_t>(counts[set]));
    ++words_;
  }
  void finish();

 private:
  FileWriter file_;
  std::string previous_;
  std::size_t sets_;
  std::uint64_t words_ = 0;
};

class WordRunReader {
 public:
  // Throws DamagedFile for a run whose words have other than `sets` counts.
  WordRunReader(const std::string& path, std::size_t sets);
  // Goes to the next word. Returns false once after the last, when the checksum was found correct.
  bool next();
  const std::string& word() const noexcept { return word_; }
  const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }

 private:
  FileReader file_;
  std::uint64_t words_, checksum_, taken_ = 0;
  std::string word_;
  std::vector<std::uint64_t> counts_;
};

// Adds up the counts of each word in several runs.
class WordRunMerger {
 public:
  // Takes 64 kB and an open file per run.
  WordRunMerger(const std::vector<std::string>& paths, std::size_t sets);
  // Goes to the next word. Returns false once after the last.
  bool next();
  std::string_view word() const noexcept { return word_; }
  const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }

 private:
  struct Less {
    const WordRunMerger* merger;
    bool operator()(std::size_t a, std::size_t b) const noexcept;
  };
  void advance(std::size_t run);

  std::vector<WordRunReader> runs_;
  // The first eight bytes of the next word of each run, the first one highest; and whether there is one.
  std::vector<std::uint64_t> prefixes_;
  std::vector<std::uint8_t> going_;
  std::unique_ptr<Tournament<Less>> order_;
  std::string word_;
  std::vector<std::uint64_t> counts_;
};

// Merges runs into one, in the file `output`.
void merge_word_runs(const std::vector<std::string>& paths, std::size_t sets, const std::string& output);

}  // namespace corpusprep
