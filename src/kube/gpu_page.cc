// SPDX-License-Identifier: Apache-2.0
#include "kube/gpu_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "kube/metrics_text.h"

namespace schedlens::kube {
namespace {

enum class Field : std::uint8_t { kUtil, kEngine, kUsed, kFree, kReserved, kXid };

struct Name {
  std::string_view name;
  Field field;
  double most;  // what is above it was not measured: DCGM marks that by very large numbers
};

constexpr double kMostMib = 1e8;
constexpr auto kNames = std::to_array<Name>({
    {"DCGM_FI_DEV_GPU_UTIL", Field::kUtil, 100},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", Field::kEngine, 1},
    {"DCGM_FI_DEV_FB_USED", Field::kUsed, kMostMib},
    {"DCGM_FI_DEV_FB_FREE", Field::kFree, kMostMib},
    {"DCGM_FI_DEV_FB_RESERVED", Field::kReserved, kMostMib},
    // The last error of the driver, not a count.
    {"DCGM_FI_DEV_XID_ERRORS", Field::kXid, 1e6},
});

const Name* find_name(std::string_view text) {
  for (const auto& name : kNames) {
    if (name.name == text) return &name;
  }
  return nullptr;
}

bool has_label(const Sample& s, std::string_view key) {
  return std::any_of(s.labels.begin(), s.labels.end(),
                     [&](const auto& l) { return l.first == key; });
}

std::string_view first_of(const Sample& s, std::initializer_list<std::string_view> keys) {
  for (auto key : keys) {
    if (const auto text = s.label(key); !text.empty()) return text;
  }
  return {};
}

struct Device {
  MeasuredGpu measured;
  std::optional<double> util, engine, used, free, reserved;
  std::optional<std::int64_t> time_ms;
};

class PageReader {
 public:
  void take(const Sample& s) {
    any = true;
    const auto& name = *find_name(s.name);
    const auto uuid = first_of(s, {"UUID", "uuid"});
    const auto index = first_of(s, {"gpu"});
    if (uuid.empty() && index.empty()) return;
    auto& device = device_of(s, uuid, index);
    take_holder(s, device);
    if (!std::isfinite(s.value) || s.value < 0 || s.value > name.most) return;
    if (s.time_ms) device.time_ms = std::max(device.time_ms, s.time_ms);
    switch (name.field) {
      case Field::kUtil:
        return raise(device.util, s.value / 100);
      case Field::kEngine:
        return raise(device.engine, s.value);
      case Field::kUsed:
        return raise(device.used, s.value);
      case Field::kFree:
        return raise(device.free, s.value);
      case Field::kReserved:
        return raise(device.reserved, s.value);
      case Field::kXid:
        device.measured.gpu.last_xid = static_cast<std::uint32_t>(s.value);
    }
  }

  std::vector<MeasuredGpu> finish() {
    std::vector<MeasuredGpu> gpus;
    // An exporter that knows the pods of whole devices may still not know those of MIG instances,
    // as old ones do not.
    bool whole_known = false, parts_known = false;
    for (auto& [key, device] : devices_) {
      const bool named = !device.measured.holders.empty();
      if (is_part(device)) {
        parts_known |= named;
      } else {
        whole_known |= named || label_pod_;
      }
    }
    for (auto& [key, device] : devices_) {
      device.measured.gpu.pods_known = is_part(device) ? parts_known : whole_known;
      put_values(device);
      gpus.push_back(std::move(device.measured));
    }
    return gpus;
  }

  bool any = false;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;

  static bool is_part(const Device& device) { return !device.measured.gpu.mig_instance.empty(); }

  static void raise(std::optional<double>& value, double seen) {
    value = std::max(value.value_or(seen), seen);
  }

  Device& device_of(const Sample& s, std::string_view uuid, std::string_view index) {
    const auto host = first_of(s, {"Hostname", "hostname"});
    const auto instance = s.label("GPU_I_ID");
    // UUIDs are unique; without one the place is.
    const auto place = uuid.empty() ? index : uuid;
    auto& device = devices_[Key(uuid.empty() ? host : "", place, instance)];
    auto& gpu = device.measured.gpu;
    device.measured.host = host;
    gpu.uuid = uuid;
    gpu.index = index;
    gpu.mig_instance = instance;
    if (const auto profile = s.label("GPU_I_PROFILE"); !profile.empty()) {
      gpu.mig_profile = Symbol(profile);
    }
    if (const auto model = s.label("modelName"); !model.empty()) gpu.type = model;
    return device;
  }

  void take_holder(const Sample& s, Device& device) {
    // The page of an exporter that maps pods has the label on idle devices, too, if empty; one that
    // Prometheus has written has no empty labels.
    label_pod_ |= has_label(s, "pod") || has_label(s, "exported_pod") || has_label(s, "pod_name");
    const bool renamed = has_label(s, "exported_pod") || has_label(s, "exported_namespace");
    const auto pod = renamed ? s.label("exported_pod") : first_of(s, {"pod", "pod_name"});
    const auto ns =
        renamed ? s.label("exported_namespace") : first_of(s, {"namespace", "pod_namespace"});
    if (pod.empty() || ns.empty()) return;
    auto holder = std::string(ns) + '/' + std::string(pod);
    auto& holders = device.measured.holders;
    if (std::find(holders.begin(), holders.end(), holder) == holders.end()) {
      holders.push_back(std::move(holder));
    }
  }

  static void put_values(Device& device) {
    auto& gpu = device.measured.gpu;
    // The utilisation is not measured of MIG instances; what stands there is the whole device's.
    gpu.busy = is_part(device) ? device.engine : device.util ? device.util : device.engine;
    constexpr double kMib = 1024 * 1024;
    if (device.used) gpu.memory = Bytes{std::llround(*device.used * kMib)};
    if (device.used && device.free) {
      const double total = *device.used + *device.free + device.reserved.value_or(0);
      if (total > 0) gpu.memory_total = Bytes{std::llround(total * kMib)};
    }
    if (device.time_ms) gpu.sampled = Timestamp{*device.time_ms / 1000};
    std::sort(device.measured.holders.begin(), device.measured.holders.end());
  }

  std::map<Key, Device> devices_;
  bool label_pod_ = false;
};

}  // namespace

Result<std::vector<MeasuredGpu>> read_gpu_page(std::string_view text) {
  PageReader reader;
  const auto facts = read_metrics_text(
      text, [](std::string_view name) { return find_name(name) != nullptr; },
      [&](const Sample& s) { reader.take(s); });
  if (!reader.any) {
    return fail("no metric of a GPU on the page{}{}; is it another program's?",
                facts.first_error.empty() ? "" : ": ", facts.first_error);
  }
  return reader.finish();
}

}  // namespace schedlens::kube
