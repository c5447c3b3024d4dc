// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_devices.h"

#include <fmt/format.h>

#include "kube/object_fields.h"
#include "kube/selectors.h"

namespace schedlens::kube {
namespace {

using model::AttributeKind;

// "id" of the driver itself, or "domain/id".
Symbol qualified(std::string_view name, Symbol driver) {
  if (name.find('/') != std::string_view::npos) return Symbol(name);
  return Symbol(fmt::format("{}/{}", driver.view(), name));
}

// Names without a domain wait for the driver, which may come later in the message.
void qualify(model::ResourceSlice& slice) {
  for (auto& device : slice.devices) {
    for (auto& a : device.attributes) a.name = qualified(a.name.view(), slice.driver);
    model::Quantities capacity;
    for (const auto& item : device.capacity.items()) {
      capacity.set(qualified(item.name.view(), slice.driver), item.amount);
    }
    device.capacity = std::move(capacity);
  }
}

std::string read_selector(Fields selector) {
  std::string expression;
  while (selector.next()) {
    if (selector.number() != 1) continue;
    each_field(selector, "cel", [&](Fields& cel) {
      if (cel.number() == 1) expression = cel.string("expression");
    });
  }
  return expression;
}

std::int64_t read_thousandths(Fields fields) {
  std::int64_t amount = 0;
  while (fields.next()) {
    if (fields.number() != 1) continue;
    each_field(fields, "value", [&](Fields& quantity) {
      if (quantity.number() != 1) return;
      const auto parsed = parse_quantity(quantity.text("string"));
      if (!parsed) throw Fault("capacity: " + parsed.error().message());
      amount = parsed->milli_value();
    });
  }
  return amount;
}

model::DeviceAttribute read_attribute(Fields fields) {
  model::DeviceAttribute attribute;
  while (fields.next()) {
    switch (fields.number()) {
      case 2:
        attribute.kind = AttributeKind::kInteger;
        attribute.value = std::to_string(fields.integer("int"));
        break;
      case 3:
        attribute.kind = AttributeKind::kBoolean;
        attribute.value = fields.boolean("bool") ? "true" : "false";
        break;
      case 4:
        attribute.kind = AttributeKind::kText;
        attribute.value = fields.string("string");
        break;
      case 5:
        attribute.kind = AttributeKind::kVersion;
        attribute.value = fields.string("version");
        break;
      default:
        attribute.kind = AttributeKind::kList;
    }
  }
  return attribute;
}

// A map of Counter: by name.
void read_counter(Fields& outer, const char* name, model::Quantities& counters) {
  const auto [key, bytes] = outer.entry(name);
  counters.set(Symbol(key), read_thousandths(Fields(bytes, name, &outer)));
}

// CounterSet and DeviceCounterConsumption.
model::DeviceCounters read_counters(Fields fields) {
  model::DeviceCounters counters;
  while (fields.next()) {
    if (fields.number() == 1) counters.set = fields.string("name");
    if (fields.number() == 2) read_counter(fields, "counters", counters.counters);
  }
  return counters;
}

// The fields of a device but its name; v1beta1 numbers them one lower, in a message of their own.
void read_device_field(Fields& fields, std::uint32_t number, model::Device& device) {
  switch (number) {
    case 2: {
      const auto [key, bytes] = fields.entry("attributes");
      auto attribute = read_attribute(Fields(bytes, "attributes", &fields));
      attribute.name = Symbol(key);
      device.attributes.push_back(std::move(attribute));
      break;
    }
    case 3: {
      const auto [key, bytes] = fields.entry("capacity");
      device.capacity.set(Symbol(key), read_thousandths(Fields(bytes, "capacity", &fields)));
      break;
    }
    case 4:
      device.consumes.push_back(read_counters(fields.message("consumesCounters")));
      break;
    case 5:
      device.place.node = fields.symbol("nodeName");
      break;
    case 6:
      device.place.nodes = read_node_selector(fields.message("nodeSelector"));
      break;
    case 7:
      device.place.everywhere = fields.boolean("allNodes");
      break;
    case 8:
      device.taints.push_back(read_taint(fields.message("taints")));
      break;
    case 10:
    case 11:
      device.binding_conditions = true;
      break;
    case 12:
      device.several_claims = fields.boolean("allowMultipleAllocations");
      break;
  }
}

model::Device read_device(Fields fields, DeviceApi api) {
  model::Device device;
  while (fields.next()) {
    if (fields.number() == 1) {
      device.name = fields.string("name");
    } else if (api == DeviceApi::kV1) {
      read_device_field(fields, fields.number(), device);
    } else if (fields.number() == 2) {
      each_field(fields, "basic",
                 [&](Fields& basic) { read_device_field(basic, basic.number() + 1, device); });
    }
  }
  return device;
}

void read_slice_spec(Fields& spec, DeviceApi api, model::ResourceSlice& slice) {
  switch (spec.number()) {
    case 1:
      slice.driver = spec.symbol("driver");
      break;
    case 2:
      each_field(spec, "pool", [&](Fields& pool) {
        if (pool.number() == 1) slice.pool = pool.string("name");
        if (pool.number() == 2) slice.generation = pool.integer("generation");
        if (pool.number() == 3) slice.slices_in_pool = pool.integer("resourceSliceCount");
      });
      break;
    case 3:
      slice.place.node = spec.symbol("nodeName");
      break;
    case 4:
      slice.place.nodes = read_node_selector(spec.message("nodeSelector"));
      break;
    case 5:
      slice.place.everywhere = spec.boolean("allNodes");
      break;
    case 6:
      slice.devices.push_back(read_device(spec.message("devices"), api));
      break;
    case 7:
      slice.place_by_device = spec.boolean("perDeviceNodeSelection");
      break;
    case 8:
      slice.counters.push_back(read_counters(spec.message("sharedCounters")));
      break;
  }
}

// What a request for certain devices says, in the numbers of ExactDeviceRequest of v1.
void read_request_field(Fields& fields, std::uint32_t number, model::DeviceRequest& request) {
  switch (number) {
    case 1:
      request.device_class = fields.symbol("deviceClassName");
      break;
    case 2:
      request.selectors.push_back(read_selector(fields.message("selectors")));
      break;
    case 3:
      request.all = fields.text("allocationMode") == "All";
      break;
    case 4:
      request.count = fields.integer("count");
      break;
    case 5:
      request.admin = fields.boolean("adminAccess");
      break;
    case 6:
      request.tolerations.push_back(read_toleration(fields.message("tolerations")));
      break;
    case 7:
      each_field(fields, "capacity", [&](Fields&) { request.takes_capacity = true; });
      break;
  }
}

model::DeviceRequest read_sub_request(Fields fields, DeviceApi api) {
  model::DeviceRequest request;
  const std::uint32_t tolerations = api == DeviceApi::kV1 ? 6 : 7;
  while (fields.next()) {
    const auto number = fields.number();
    if (number == 1) {
      request.name = fields.string("name");
    } else if (number < 6) {
      read_request_field(fields, number - 1, request);
    } else if (number == tolerations) {
      read_request_field(fields, 6, request);
    } else if (number == tolerations + 1) {
      read_request_field(fields, 7, request);
    }
  }
  return request;
}

model::DeviceRequest read_request(Fields fields, DeviceApi api) {
  model::DeviceRequest request;
  const std::uint32_t alternatives = api == DeviceApi::kV1 ? 3 : 7;
  while (fields.next()) {
    const auto number = fields.number();
    if (number == 1) {
      request.name = fields.string("name");
    } else if (number == alternatives) {
      request.first_available.push_back(read_sub_request(fields.message("firstAvailable"), api));
    } else if (api == DeviceApi::kV1 && number == 2) {
      each_field(fields, "exactly",
                 [&](Fields& exactly) { read_request_field(exactly, exactly.number(), request); });
    } else if (api == DeviceApi::kV1Beta1) {
      // Where firstAvailable lies, the numbers of the rest move by one.
      read_request_field(fields, number < alternatives ? number - 1 : number - 2, request);
    }
  }
  return request;
}

model::DeviceConstraint read_constraint(Fields fields) {
  model::DeviceConstraint constraint;
  while (fields.next()) {
    if (fields.number() == 1) constraint.requests.push_back(fields.string("requests"));
    if (fields.number() == 2) constraint.same = fields.symbol("matchAttribute");
    if (fields.number() == 3) constraint.different = fields.symbol("distinctAttribute");
  }
  return constraint;
}

model::AllocatedDevice read_allocated_device(Fields fields) {
  model::AllocatedDevice device;
  while (fields.next()) {
    if (fields.number() == 1) device.request = fields.string("request");
    if (fields.number() == 2) device.driver = fields.symbol("driver");
    if (fields.number() == 3) device.pool = fields.string("pool");
    if (fields.number() == 4) device.device = fields.string("device");
    if (fields.number() == 5) device.admin = fields.boolean("adminAccess");
    if (fields.number() == 9) device.shared = !fields.text("shareID").empty();
  }
  return device;
}

model::DeviceAllocation read_allocation(Fields fields) {
  model::DeviceAllocation allocation;
  while (fields.next()) {
    if (fields.number() == 1) {
      each_field(fields, "devices", [&](Fields& devices) {
        if (devices.number() != 1) return;
        allocation.devices.push_back(read_allocated_device(devices.message("results")));
      });
    }
    if (fields.number() == 3) allocation.nodes = read_node_selector(fields.message("nodeSelector"));
  }
  return allocation;
}

model::ClaimUser read_user(Fields fields) {
  model::ClaimUser user;
  while (fields.next()) {
    if (fields.number() == 3) user.resource = fields.string("resource");
    if (fields.number() == 4) user.name = fields.string("name");
    if (fields.number() == 5) user.uid = fields.string("uid");
  }
  return user;
}

void read_claim_spec(Fields& outer, DeviceApi api, model::ResourceClaim& claim) {
  each_field(outer, "spec", [&](Fields& spec) {
    if (spec.number() != 1) return;
    each_field(spec, "devices", [&](Fields& devices) {
      if (devices.number() == 1) {
        claim.requests.push_back(read_request(devices.message("requests"), api));
      } else if (devices.number() == 2) {
        claim.constraints.push_back(read_constraint(devices.message("constraints")));
      }
    });
  });
}

void read_claim_status(Fields& outer, model::ResourceClaim& claim) {
  each_field(outer, "status", [&](Fields& status) {
    if (status.number() == 1) claim.allocation = read_allocation(status.message("allocation"));
    if (status.number() == 2) {
      claim.reserved_for.push_back(read_user(status.message("reservedFor")));
    }
  });
}

}  // namespace

DeviceApi device_api(std::string_view api_version) {
  return api_version.ends_with("/v1beta1") ? DeviceApi::kV1Beta1 : DeviceApi::kV1;
}

Result<Decoded<model::ResourceClaim>> decode_resource_claim(std::string_view object,
                                                            DeviceApi api) {
  return decode_object<model::ResourceClaim>(
      object,
      [api](Fields& fields, model::ResourceClaim& claim) {
        if (fields.number() == 2) read_claim_spec(fields, api, claim);
        if (fields.number() == 3) read_claim_status(fields, claim);
      },
      [](ObjectMeta& meta, model::ResourceClaim& claim) {
        claim.ns = meta.meta.ns;
        claim.name = meta.meta.name;
        claim.owner = std::move(meta.controller);
        claim.deleting = meta.deleting.has_value();
      });
}

Result<Decoded<model::ResourceClaimTemplate>> decode_claim_template(std::string_view object) {
  return decode_object<model::ResourceClaimTemplate>(
      object, [](Fields&, model::ResourceClaimTemplate&) {},
      [](ObjectMeta& meta, model::ResourceClaimTemplate& t) {
        t.ns = meta.meta.ns;
        t.name = meta.meta.name;
      });
}

Result<Decoded<model::ResourceSlice>> decode_resource_slice(std::string_view object,
                                                            DeviceApi api) {
  return decode_object<model::ResourceSlice>(
      object,
      [api](Fields& fields, model::ResourceSlice& slice) {
        if (fields.number() != 2) return;
        each_field(fields, "spec", [&](Fields& spec) { read_slice_spec(spec, api, slice); });
      },
      [](ObjectMeta& meta, model::ResourceSlice& slice) {
        slice.name = meta.meta.name;
        qualify(slice);
      });
}

Result<Decoded<model::DeviceClass>> decode_device_class(std::string_view object) {
  return decode_object<model::DeviceClass>(
      object,
      [](Fields& fields, model::DeviceClass& c) {
        if (fields.number() != 2) return;
        each_field(fields, "spec", [&](Fields& spec) {
          if (spec.number() == 1) c.selectors.push_back(read_selector(spec.message("selectors")));
          if (spec.number() == 4) c.extended_resource = spec.symbol("extendedResourceName");
        });
      },
      [](ObjectMeta& meta, model::DeviceClass& c) { c.name = Symbol(meta.meta.name); });
}

}  // namespace schedlens::kube
