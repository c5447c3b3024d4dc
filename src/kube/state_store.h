// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tables of the objects that are kept in detail, beside the Store's own of the same resources.

#include <memory>
#include <mutex>

#include "kube/object_table.h"
#include "kube/sink.h"
#include "model/kube_state.h"
#include "model/state_choice.h"

namespace schedlens::kube {

class StateStore {
 public:
  // The mutex, the Store's own, must outlive it.
  StateStore(std::mutex& mutex, model::StateChoice choice);
  ~StateStore();

  const model::StateChoice& choice() const { return choice_; }

  // Who takes the objects of this resource: with the details, where they are chosen, after main,
  // which may be null where nobody else reads the resource. Null when neither wants them.
  Sink* with_details(std::string_view resource, Sink* main);

  // While holding the mutex.
  void fill(model::KubeState& into) const;

 private:
  struct Tables;
  model::StateChoice choice_;
  std::unique_ptr<Tables> tables_;
};

}  // namespace schedlens::kube
