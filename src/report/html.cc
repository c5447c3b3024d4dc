// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/time_text.h"
#include "report/plot.h"
#include "report/week.h"

namespace schedlens::report {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<style>
:root {{ --ink: #1d2733; --dim: #5b6875; --paper: #ffffff; --line: #d7dde3; --mark: #2f6db3; --note: #fff6df; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e4e9ee; --dim: #9aa7b4; --paper: #14191f; --line: #303a45; --mark: #6aa5e8; --note: #3a3219; }}
}}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; max-width: 860px; padding: 24px; color: var(--ink); background: var(--paper);
  font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }}
h1 {{ font-size: 26px; line-height: 1.2; margin: 0 0 4px; }}
h2 {{ font-size: 19px; margin: 36px 0 8px; border-bottom: 1px solid var(--line); padding-bottom: 4px; }}
h3 {{ font-size: 15px; margin: 20px 0 4px; }}
p {{ margin: 8px 0; }}
.dim, .how {{ color: var(--dim); }}
.how {{ font-size: 13px; }}
.note {{ background: var(--note); padding: 6px 10px; border-radius: 4px; }}
a {{ color: var(--mark); }}
nav a {{ margin-right: 12px; white-space: nowrap; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; font-size: 14px; }}
th, td {{ text-align: left; vertical-align: top; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); }}
th {{ font-weight: 600; color: var(--dim); }}
.n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
figure {{ margin: 16px 0; }}
figcaption {{ font-weight: 600; margin-bottom: 4px; }}
svg {{ width: 100%; height: auto; }}
svg text {{ font-size: 12px; fill: var(--dim); }}
svg rect {{ fill: var(--mark); }}
svg path {{ fill: none; stroke: var(--mark); stroke-width: 1.6; }}
svg .grid {{ stroke: var(--line); stroke-width: 1; }}
@media print {{
  :root {{ --ink: #000; --dim: #444; --paper: #fff; --line: #bbb; --mark: #2f6db3; --note: #f3f3f3; }}
  body {{ max-width: none; padding: 0; font-size: 10.5pt; }}
  nav {{ display: none; }}
  h2, h3 {{ break-after: avoid; }}
  table, figure {{ break-inside: avoid; }}
}}
</style></head><body>
)";

std::string table_of(const Table& table) {
  std::string out;
  if (!table.title.empty()) out += fmt::format("<h3>{}</h3>\n", escaped(table.title));
  if (table.rows.empty())
    return out + fmt::format("<p class=\"dim\">{}.</p>\n", escaped(table.none));
  out += "<div class=\"wide\"><table><thead><tr>";
  for (const auto& column : table.columns) {
    out += fmt::format("<th{}>{}</th>", column.number ? " class=\"n\"" : "", escaped(column.title));
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += fmt::format("<td{}>{}</td>", table.columns[i].number ? " class=\"n\"" : "",
                         escaped(shown(row[i])));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::vector<std::string> days_of(const Document& d) {
  std::vector<std::string> days;
  // At noon of each: a change of the clock does not move it to another.
  for (auto noon = d.from + Seconds{43'200}; noon < d.to; noon = noon + Seconds{86'400}) {
    days.push_back(local_time(noon).substr(5, 5));
  }
  return days;
}

}  // namespace

std::string html(const Document& d) {
  auto out = fmt::format(fmt::runtime(kHead), escaped(d.title));
  out += fmt::format("<h1>{}</h1>\n<p class=\"dim\">{}made {}</p>\n<nav>", escaped(d.title),
                     d.cluster.empty() ? "" : escaped(d.cluster) + ", ", local_time(d.made));
  for (const auto& section : d.sections) {
    out += fmt::format("<a href=\"#{}\">{}</a> ", section.anchor, escaped(section.title));
  }
  out += "</nav>\n";
  for (const auto& note : d.notes) out += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  const auto days = days_of(d);
  for (const auto& section : d.sections) {
    out += fmt::format("<h2 id=\"{}\">{}</h2>\n", section.anchor, escaped(section.title));
    for (const auto& sentence : section.said) out += fmt::format("<p>{}</p>\n", escaped(sentence));
    for (const auto& plot : section.plots) out += svg(plot, days);
    for (const auto& table : section.tables) out += table_of(table);
    out += fmt::format("<p class=\"how\"><a href=\"#how-{}\">How this was found</a></p>\n",
                       section.anchor);
  }
  out += "<h2 id=\"how\">How the numbers were found</h2>\n";
  for (const auto& section : d.sections) {
    out += fmt::format("<p class=\"how\" id=\"how-{}\"><b>{}.</b> {}</p>\n", section.anchor,
                       escaped(section.title), escaped(section.how));
  }
  return out + "</body></html>\n";
}

}  // namespace schedlens::report
