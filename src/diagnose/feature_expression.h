// SPDX-License-Identifier: Apache-2.0
#pragma once
// Slurm's constraint grammar (sbatch --constraint), parsed once:
//   a&b  a|b        evaluated left to right, neither binds stronger
//   (a|b)&c         parentheses
//   [a|b]           all nodes of the job the same one
//   [a*2&b*4]  a*2  at least so many nodes with the feature
// What is not understood is said to be so; it is never guessed.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/symbol.h"

namespace schedlens::diagnose {

class FeatureExpression {
 public:
  static FeatureExpression parse(std::string_view text);

  bool understood() const { return understood_; }
  bool empty() const { return alternatives_.empty(); }

  // How many ways there are to read [a|b]: all nodes of the job must answer one of them.
  std::size_t alternatives() const { return alternatives_.size(); }
  // Bit i: a node with these features (any order) can serve alternative i. All bits when the
  // expression is empty or was not understood.
  std::uint32_t matches(const std::vector<Symbol>& features) const;

  // A feature that so many nodes of the job must have.
  struct Count {
    Symbol feature;
    std::uint32_t nodes = 0;
  };
  const std::vector<Count>& counts() const { return counts_; }

 private:
  // In reverse polish order: a feature, or an operator over the two results before it.
  struct Step {
    enum class Kind : std::uint8_t { kFeature, kAnd, kOr } kind = Kind::kFeature;
    Symbol feature;
  };
  using Program = std::vector<Step>;
  friend class FeatureParser;

  static bool run(const Program& program, const std::vector<Symbol>& features);

  bool understood_ = true;
  std::vector<Program> alternatives_;
  std::vector<Count> counts_;
};

}  // namespace schedlens::diagnose
