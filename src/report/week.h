// SPDX-License-Identifier: Apache-2.0
#pragma once
// The weekly quality report of a cluster.

#include <string>
#include <string_view>

#include "base/result.h"
#include "memory/reader.h"
#include "report/document.h"
#include "report/facts.h"

namespace schedlens::report {

// The whole week, Monday to Monday in the machine's time zone, that the moment is in. Around a
// change of the clock it has 167 or 169 hours.
Period week_of(Timestamp moment);
Period last_whole_week(Timestamp now);

// From what is remembered. now: when it is made.
Result<Document> weekly(memory::Reader& reader, Period week, Timestamp now);
// The same of facts that were gathered.
Document document_of(const Facts& week, const Facts& before, Timestamp now);

std::string markdown(const Document& document);
std::string html(const Document& document);
std::string json(const Document& document);

}  // namespace schedlens::report
