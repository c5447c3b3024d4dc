// SPDX-License-Identifier: Apache-2.0
#include "remote/write_request.h"

#include <snappy.h>

#include <protozero/pbf_message.hpp>
#include <protozero/pbf_writer.hpp>

namespace schedlens::remote {
namespace {

// Field numbers of prometheus/prompb; a label and a sample have two fields each.
enum class Request : protozero::pbf_tag_type { kSeries = 1 };
enum class Series : protozero::pbf_tag_type { kLabel = 1, kSample = 2 };
constexpr protozero::pbf_tag_type kName = 1, kText = 2;   // of a label
constexpr protozero::pbf_tag_type kValue = 1, kTime = 2;  // of a sample
constexpr std::string_view kMetricName = "__name__";

void add_label(protozero::pbf_writer& series, std::string_view name, std::string_view value) {
  protozero::pbf_writer label(series, static_cast<protozero::pbf_tag_type>(Series::kLabel));
  label.add_string(kName, name.data(), name.size());
  label.add_string(kText, value.data(), value.size());
}

memory::Labels labels_of(const memory::SeriesKey& key, const memory::Labels& further) {
  memory::Labels all = further;
  all.insert(all.end(), key.labels.begin(), key.labels.end());
  all.emplace_back(kMetricName, key.name);
  // Sorted, as receivers want them; of two of one name the later counts.
  return memory::make_key("", std::move(all)).labels;
}

std::pair<std::string, std::string> read_label(protozero::pbf_reader label) {
  std::pair<std::string, std::string> read;
  while (label.next()) {
    if (label.tag() == kName) {
      read.first = label.get_string();
    } else if (label.tag() == kText) {
      read.second = label.get_string();
    } else {
      label.skip();
    }
  }
  return read;
}

Sample read_sample(protozero::pbf_reader sample) {
  Sample read;
  while (sample.next()) {
    if (sample.tag() == kValue) {
      read.value = sample.get_double();
    } else if (sample.tag() == kTime) {
      read.time.unix_ms = sample.get_int64();
    } else {
      sample.skip();
    }
  }
  return read;
}

void read_series(protozero::pbf_message<Series> series, std::vector<Sample>& out) {
  memory::SeriesKey key;
  const auto first = out.size();
  while (series.next()) {
    if (series.tag() == Series::kLabel) {
      auto [name, value] = read_label(series.get_message());
      if (name == kMetricName) {
        key.name = std::move(value);
      } else {
        key.labels.emplace_back(std::move(name), std::move(value));
      }
    } else if (series.tag() == Series::kSample) {
      out.push_back(read_sample(series.get_message()));
    } else {
      series.skip();
    }
  }
  for (auto i = first; i < out.size(); ++i) out[i].key = key;
}

}  // namespace

std::string write_request(std::span<const Sample> samples, const memory::Labels& further) {
  std::string message;
  protozero::pbf_writer request(message);
  for (const auto& sample : samples) {
    protozero::pbf_writer series(request, static_cast<protozero::pbf_tag_type>(Request::kSeries));
    for (const auto& [name, value] : labels_of(sample.key, further)) {
      add_label(series, name, value);
    }
    protozero::pbf_writer point(series, static_cast<protozero::pbf_tag_type>(Series::kSample));
    point.add_double(kValue, sample.value);
    point.add_int64(kTime, sample.time.unix_ms);
  }
  return message;
}

Result<std::vector<Sample>> read_write_request(std::string_view message) {
  std::vector<Sample> samples;
  try {
    protozero::pbf_message<Request> request(message.data(), message.size());
    while (request.next()) {
      if (request.tag() == Request::kSeries) {
        read_series(protozero::pbf_message<Series>(request.get_message()), samples);
      } else {
        request.skip();
      }
    }
  } catch (const protozero::exception& e) {
    return fail("write request: {}", e.what());
  }
  return samples;
}

std::string compress(std::string_view bytes) {
  std::string out;
  snappy::Compress(bytes.data(), bytes.size(), &out);
  return out;
}

Result<std::string> decompress(std::string_view bytes, std::size_t most) {
  std::size_t size = 0;
  if (!snappy::GetUncompressedLength(bytes.data(), bytes.size(), &size)) {
    return fail("not in snappy's block format");
  }
  if (size > most) return fail("{} bytes, more than {}", size, most);
  std::string out;
  if (!snappy::Uncompress(bytes.data(), bytes.size(), &out)) return fail("damaged snappy block");
  return out;
}

}  // namespace schedlens::remote
