// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a receiver is told of one alert, and the documents that carry it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/alert.h"
#include "alert/labels.h"
#include "base/units.h"

namespace schedlens::alert {

struct Notice {
  std::string fingerprint;  // of the labels: with starts_at the key by which repeats are known
  bool firing = false;
  Labels labels, annotations;
  Timestamp starts_at;
  // When it ended; of one that fires, until when it may be taken to fire if nothing more is heard.
  std::optional<Timestamp> ends_at;
};

// 16 hexadecimal digits, the same in every process.
std::string fingerprint(const Labels& labels);

// Of an alert that fires or has fired.
Notice notice_of(const Alert& alert);

// The body of Alertmanager's POST /api/v2/alerts. link: where an operator sees more, or empty.
std::string alertmanager_json(const std::vector<Notice>& notices, std::string_view link);

// What webhooks and programs get:
//   {"version": 1, "sender": "schedlens", "alerts": [{"status": "firing" or "resolved",
//     "fingerprint", "labels", "annotations", "starts_at", "ends_at" or null}]}
std::string notices_json(const std::vector<Notice>& notices, std::string_view link);

}  // namespace schedlens::alert
