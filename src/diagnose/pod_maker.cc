// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_maker.h"

#include <fmt/format.h>

#include <array>

#include "diagnose/remedy_text.h"

namespace schedlens::diagnose {

std::optional<PodMaker> pod_maker(Symbol kind, std::string_view name) {
  struct Known {
    std::string_view kind, word;
    bool anew;
  };
  static constexpr std::array<Known, 5> kKnown{{{"Job", "job", true},
                                                {"Deployment", "deployment", false},
                                                {"ReplicaSet", "replicaset", false},
                                                {"StatefulSet", "statefulset", false},
                                                {"DaemonSet", "daemonset", false}}};
  for (const auto& known : kKnown) {
    if (kind.view() != known.kind) continue;
    return PodMaker{std::string(known.word), std::string(name), ".spec.template.spec", known.anew};
  }
  return std::nullopt;
}

std::string change_command(const PodMaker& maker, Symbol ns, std::string filter) {
  for (std::size_t at; (at = filter.find("$spec")) != std::string::npos;) {
    filter.replace(at, 5, maker.spec);
  }
  if (maker.anew) {
    filter += " | del(.metadata.uid, .metadata.resourceVersion, .status)";
    if (maker.word == "pod") filter += " | del(.spec.nodeName)";
    if (maker.word == "job") {
      filter += R"( | del(.spec.selector, .spec.template.metadata.labels["controller-uid"], )"
                R"(.spec.template.metadata.labels["batch.kubernetes.io/controller-uid"], )"
                R"(.metadata.labels["controller-uid"], )"
                R"(.metadata.labels["batch.kubernetes.io/controller-uid"]))";
    }
  }
  return fmt::format("kubectl get {} -n {} {} -o json | jq {} | kubectl replace {}-f -", maker.word,
                     shell_word(ns.view()), shell_word(maker.name), shell_word(filter),
                     maker.anew ? "--force " : "");
}

}  // namespace schedlens::diagnose
