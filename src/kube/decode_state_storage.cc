// SPDX-License-Identifier: Apache-2.0
// Volumes and claims to them, in full.
#include <fmt/format.h>

#include <array>

#include "kube/decode_state.h"
#include "kube/object_fields.h"
#include "kube/pod_spec.h"
#include "kube/state_meta.h"

namespace schedlens::kube {
namespace {

const Symbol kStorage{"storage"};

std::optional<std::int64_t> storage_of(const ResourceList& list) {
  for (const auto& item : list.items()) {
    if (item.name == kStorage) return item.amount.value();
  }
  return std::nullopt;
}

void read_claim_spec(Fields& spec, model::ClaimFacts& claim) {
  switch (spec.number()) {
    case 1:
      claim.access_modes.push_back(spec.symbol("accessModes"));
      break;
    case 2: {
      ResourceList requests, limits;
      read_requirements(spec.message("resources"), requests, limits);
      claim.requested_bytes = storage_of(requests);
      break;
    }
    case 3:
      claim.volume = spec.string("volumeName");
      break;
    case 5:
      claim.storage_class = spec.symbol("storageClassName");
      break;
    case 6:
      claim.volume_mode = spec.symbol("volumeMode");
      break;
  }
}

// Of the many sources of a volume those that have a label: where in the message what stands.
struct SourceField {
  std::uint32_t source, field;
  bool number;
  const char* label;
};
constexpr std::array kSourceFields = {SourceField{1, 1, false, "gce_persistent_disk_name"},
                                      SourceField{2, 1, false, "ebs_volume_id"},
                                      SourceField{3, 1, false, "host_path"},
                                      SourceField{3, 2, false, "host_path_type"},
                                      SourceField{5, 1, false, "nfs_server"},
                                      SourceField{5, 2, false, "nfs_path"},
                                      SourceField{7, 1, false, "iscsi_target_portal"},
                                      SourceField{7, 2, false, "iscsi_iqn"},
                                      SourceField{7, 3, true, "iscsi_lun"},
                                      SourceField{7, 12, false, "iscsi_initiator_name"},
                                      SourceField{10, 1, false, "fc_target_wwns"},
                                      SourceField{10, 2, true, "fc_lun"},
                                      SourceField{10, 5, false, "fc_wwids"},
                                      SourceField{16, 1, false, "azure_disk_name"},
                                      SourceField{20, 1, false, "local_path"},
                                      SourceField{20, 2, false, "local_fs"},
                                      SourceField{22, 1, false, "csi_driver"},
                                      SourceField{22, 2, false, "csi_volume_handle"}};

// A repeated field becomes one text, separated by commas.
void put_source(Symbol label, std::string text, model::VolumeFacts& volume) {
  if (!volume.source.empty() && volume.source.back().first == label) {
    volume.source.back().second += "," + text;
  } else {
    volume.source.emplace_back(label, std::move(text));
  }
}

void read_volume_source(Fields fields, model::VolumeFacts& volume) {
  while (fields.next()) {
    const auto source = fields.number();
    auto inner = fields.message("persistentVolumeSource");
    while (inner.next()) {
      for (const auto& known : kSourceFields) {
        if (known.source != source || known.field != inner.number()) continue;
        put_source(Symbol(known.label),
                   known.number ? fmt::format("{}", inner.integer(known.label))
                                : inner.string(known.label),
                   volume);
        break;
      }
    }
  }
}

void read_volume_spec(Fields& outer, model::VolumeFacts& volume) {
  ResourceList capacity;
  each_field(outer, "spec", [&](Fields& spec) {
    if (spec.number() == 1) read_amount(spec, "capacity", capacity);
    if (spec.number() == 2) read_volume_source(spec.message("persistentVolumeSource"), volume);
    if (spec.number() == 4) {
      volume.claim.emplace();
      each_field(spec, "claimRef", [&](Fields& claim) {
        if (claim.number() == 2) volume.claim->ns = claim.string("namespace");
        if (claim.number() == 3) volume.claim->name = claim.string("name");
      });
    }
    if (spec.number() == 6) volume.storage_class = spec.symbol("storageClassName");
    if (spec.number() == 8) volume.volume_mode = spec.symbol("volumeMode");
  });
  volume.capacity_bytes = storage_of(capacity);
}

}  // namespace

Result<model::ClaimFacts> decode_claim_state(std::string_view object) {
  return decode_state<model::ClaimFacts>(object, [](Fields& fields, model::ClaimFacts& claim) {
    if (fields.number() == 2) {
      each_field(fields, "spec", [&](Fields& spec) { read_claim_spec(spec, claim); });
    }
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) {
      if (status.number() == 1) claim.phase = status.symbol("phase");
      if (status.number() == 4) {
        claim.conditions.push_back(read_condition_text(status.message("conditions"), 5));
      }
    });
  });
}

Result<model::VolumeFacts> decode_volume_state(std::string_view object) {
  return decode_state<model::VolumeFacts>(object, [](Fields& fields, model::VolumeFacts& volume) {
    if (fields.number() == 2) read_volume_spec(fields, volume);
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) {
      if (status.number() == 1) volume.phase = status.symbol("phase");
    });
  });
}

}  // namespace schedlens::kube
