// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sentences of a Verdict on a pod whose filters were evaluated.

#include <string>
#include <vector>

#include "diagnose/pod_assessment.h"
#include "diagnose/pod_message.h"
#include "diagnose/verdict.h"

namespace schedlens::diagnose {

struct PodFindings {
  const PodEvaluation& evaluation;
  model::WorkloadId id;
  const PodAnswer& answer;
  const PodAssessment& assessment;
  const PodMessage& message;
  // The verdict so far: constraints, unhealthy nodes, GPUs, fit.
  const Verdict& verdict;
};

std::string summarize_pod(const PodFindings& f);
std::vector<std::string> pod_details(const PodFindings& f);
std::vector<std::string> pod_unsure(const PodFindings& f);

}  // namespace schedlens::diagnose
