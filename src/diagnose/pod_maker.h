// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whose template pods are made from, and the command that changes it. What is made once, a pod or a
// Job, cannot be changed: it is made anew.

#include <optional>
#include <string>
#include <string_view>

#include "base/symbol.h"

namespace schedlens::diagnose {

struct PodMaker {
  std::string word = "pod";  // as kubectl takes it
  std::string name;
  std::string spec = ".spec";  // of the pod, in the maker's object
  bool anew = true;
};
// Nothing for kinds whose template is not where it is in the common ones.
std::optional<PodMaker> pod_maker(Symbol kind, std::string_view name);

// filter: what jq does to the object; "$spec" stands for the pod's part of it.
std::string change_command(const PodMaker& maker, Symbol ns, std::string filter);

}  // namespace schedlens::diagnose
