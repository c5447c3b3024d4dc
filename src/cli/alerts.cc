// SPDX-License-Identifier: Apache-2.0
#include "cli/alerts.h"

#include <fmt/format.h>

#include <ostream>

#include "alert/page.h"
#include "alert/promql.h"
#include "base/text.h"
#include "baseline/watched.h"
#include "cli/words.h"
#include "metrics/families.h"

namespace schedlens::cli {
namespace {

int problem(Context& context, const Error& error) {
  context.err << "schedlens: " << error.message() << '\n';
  return kFailure;
}

}  // namespace

std::vector<alert::KnownMetric> known_metrics() {
  std::vector<alert::KnownMetric> known;
  for (const auto& family : metrics::kFamilies) {
    auto& metric = known.emplace_back();
    metric.name = family.name;
    metric.labels.assign(family.labels.begin(), family.labels.begin() + family.label_count());
    metric.histogram = family.type == metrics::Type::kHistogram;
  }
  for (const auto& watched : baseline::watched_series()) {
    auto& metric = known.emplace_back();
    metric.name = watched.name;
    metric.labels = split(watched.per, ',');
    metric.watched = true;
  }
  return known;
}

int run_alert_rules(Context& context, const AlertRuleOptions& options) {
  auto files = alert::with_directory(options.directory);
  if (!files) return problem(context, files.error());
  auto set = alert::load_rules(*files, known_metrics());
  if (!set) return problem(context, set.error());
  if (options.markdown) {
    context.out << alert::markdown(set->rules);
  } else if (options.promtool_tests.empty()) {
    context.out << alert::prometheus_rules(set->rules);
  } else {
    context.out << alert::promtool_tests(set->tests, set->rules, options.promtool_tests);
  }
  return kOk;
}

int run_alert_check(Context& context, const std::vector<std::string>& files) {
  auto all = alert::stock_rules();
  const auto stock = all.size();
  for (const auto& path : files) {
    auto file = alert::read_rule_file(path);
    if (!file) return problem(context, file.error());
    all.push_back(std::move(*file));
  }
  auto set = alert::load_rules(all, known_metrics(), stock);
  if (!set) {
    context.err << set.error().message() << '\n';
    return kFailure;
  }
  std::size_t failed = 0;
  for (const auto& test : set->tests) {
    const auto problems = alert::run_test(test, set->rules);
    for (const auto& line : problems) context.err << line << '\n';
    failed += problems.empty() ? 0 : 1;
  }
  if (failed > 0) {
    context.err << fmt::format("{} of {} failed\n", failed, counted(set->tests.size(), "test"));
    return kFailure;
  }
  context.out << fmt::format("ok: {} with the stock rules, {} passed\n",
                             counted(set->rules.size(), "rule"),
                             counted(set->tests.size(), "test"));
  return kOk;
}

}  // namespace schedlens::cli
