// SPDX-License-Identifier: Apache-2.0
#include "api/schemas.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace schedlens::api {
namespace {

#define AS_SCHEDULER \
  "as_scheduler [SchedulerCount]; scheduler_message string?; message_difference string?"
#define START_FORECAST                                                                          \
  "earliest integer?; expected integer?; latest integer?; observed_run_times integer; unknown " \
  "string?; schedulers integer?"
#define HEAD "version integer; snapshot SnapshotFacts; "

// What every row of a workload has.
#define WORKLOAD                                                                         \
  "id string; job_id integer; tasks integer; name string?; user string?; account "       \
  "string?; qos string?; queues [string]; state string; reason string?; priority "       \
  "integer?; gpus_requested integer; gpus_held integer; cpus_requested number?; "        \
  "memory_requested number?; min_nodes integer; submitted integer?; eligible integer?; " \
  "start integer?; end integer?; time_limit bound?; waited integer?; nodes [string]"

constexpr auto kSchemas = std::to_array<Schema>({
    {"SnapshotFacts",
     "What an answer rests on. `time` is when the newest part was read, `as_of` the moment from "
     "which ages and waits are counted.",
     "time integer; as_of integer; cluster string?; scheduler string?; scheduler_version string?; "
     "sources [SourceFacts]"},
    {"SourceFacts",
     "`state` is never, fresh, partial, stale or failed; `age_seconds` counts from the last read "
     "that succeeded.",
     "name string; state string; age_seconds integer?; error string?"},
    {"Status", "",
     HEAD "nodes NodeCounts; gpus StatusGpus; cpus Amount; memory Amount; workloads Demand; "
          "waiting_by_cause [CauseCount]; queues [QueueStatus]; users [Holder]; accounts [Holder]; "
          "unhealthy_nodes [OutOfService]; server ServerState?"},
    {"NodeCounts", "Every node is in exactly one state of `by_state`.",
     "total integer; in_service integer; by_state {integer}"},
    {"StatusGpus", "",
     "total integer; used integer; free integer; out_of_service integer; unknown integer; stranded "
     "integer; largest_hole integer; by_type [TypeGpus]"},
    {"TypeGpus", "",
     "type string?; total integer; used integer; free integer; out_of_service integer; unknown "
     "integer"},
    {"Gpus",
     "The four parts add up to `total`. `free` counts GPUs on nodes in service, `out_of_service` "
     "those not allocated on other nodes.",
     "total integer; used integer; free integer; out_of_service integer; unknown integer"},
    {"Amount", "", "total integer; allocated integer"},
    {"Demand", "Tasks of arrays count each.",
     "running integer; gpus_held integer; waiting integer; gpus_waiting integer"},
    {"CauseCount", "",
     "class string; workloads integer; tasks integer; gpus integer; longest_wait integer?"},
    {"QueueStatus", "",
     "name string; state string; nodes integer; nodes_in_service integer; gpus Gpus; running "
     "integer; gpus_held integer; waiting integer; gpus_waiting integer"},
    {"Holder", "",
     "name string?; running integer; gpus_held integer; waiting integer; gpus_waiting integer"},
    {"OutOfService", "",
     "name string; state string; gpus integer; reason string?; reason_author string?; reason_since "
     "integer?"},
    {"ServerState", "Absent (null) where no server answers.",
     "version string; config_reload_failed boolean; config_error string?"},
    {"Queue", "", HEAD "total integer; workloads [QueueEntry]"},
    {"Workload", "`start` of a waiting job is the scheduler's forecast.", WORKLOAD},
    {"QueueEntry", "`root_cause` is null for what does not wait.", WORKLOAD "; root_cause string?"},
    {"Nodes", "", HEAD "total integer; nodes [Node]"},
    {"Node", "",
     "name string; state string; full_state string; in_service boolean; reason string?; "
     "reason_author string?; reason_since integer?; queues [string]; cpus integer; cpus_allocated "
     "integer; cpu_load number?; memory integer; memory_allocated integer; memory_free integer?; "
     "gpus integer; gpus_used integer?; features [string]; workloads [string]"},
    {"Job", "", HEAD "records [JobRecord]"},
    {"JobRecord", "`workload` is everything known, under the names of the snapshot file.",
     "id string; state string; tasks integer; gpus_requested integer; gpus_held integer; waited "
     "integer?; nodes [JobNode]; use MeasuredUse?; devices [DeviceUse]; device_health "
     "[DeviceHealth]; workload object"},
    {"JobNode", "`gpu_indexes` is the scheduler's numbering; null where no details were read.",
     "name string; state string; cpu_load number?; cpus integer; memory_free integer?; memory "
     "integer; gpu_indexes [integer]?"},
    {"NodeDetail", "`node` is everything known, under the names of the snapshot file.",
     HEAD "name string; state string; in_service boolean; gpus integer; gpus_used integer?; use "
          "MeasuredUse?; "
          "devices [DeviceUse]; unhealthy_devices [UnhealthyDevices]; device_health "
          "[DeviceHealth]; workloads [Workload]; reservations [NodeReservation]; node object"},
    {"UnhealthyDevices",
     "Devices of a Kubernetes node that cannot be handed out now: in its capacity and not "
     "allocatable, or gone with their plugin while a label of the node still counts them.",
     "resource string; unhealthy integer; total integer"},
    {"DeviceHealth",
     "A device that a pod got, and what its kubelet says of its health: healthy, unhealthy or "
     "unknown. None where it does not report that.",
     "pod string; resource string; device string; state string; message string?"},
    {"NodeReservation", "",
     "name string; start integer?; end integer?; active boolean; flags [string]"},
    {"WhyAll", "`withheld` are pods that wait without existing, of Kubernetes only.",
     HEAD "classes [CauseClass]; withheld [WithheldPods]"},
    {"WithheldPods",
     "Pods that their owner was not allowed to make, by a quota or another admission rule. "
     "`missing` is null where the owner's own counts were not read; `room_now`: by now one would "
     "be admitted, and the owner tries again.",
     "kind string; namespace string; owner string; missing integer?; class string; summary string; "
     "message string; limits [ReachedLimit]; room_now boolean; last_try integer?; tries integer; "
     "remedies [QuotaRemedy]"},
    {"QuotaRemedy",
     "What would let an owner make its pods; whether nodes have room for them is known once they "
     "exist.",
     "who string; kind string; command string; effect string"},
    {"CauseClass", "",
     "class string; tasks integer; gpus integer; longest_wait integer?; workloads [string]"},
    {"Why",
     "Of one record: a job, or what waits of an array or a het job; further waiting records of the "
     "same id are in `others`. `fits_now` says whether the nodes alone would take it at once.",
     HEAD
     "workload Workload; root_cause RootCause; owners [Owner]; scheduler_reason string?; "
     "reason_difference "
     "string?; " AS_SCHEDULER
     "; details [string]; unsure [string]; constraints [Constraint]; blocking Blocking; "
     "fits_now boolean; fit Fit; gpus GpuView; devices [DeviceRow]; preemption PodPreemption?; "
     "hole PodHole?; remedies [Remedy]; "
     "start_forecast StartForecast?; others [WhyOther]"},
    {"WhyOther", "",
     "workload Workload; root_cause RootCause; owners [Owner]; scheduler_reason string?; "
     "reason_difference "
     "string?; " AS_SCHEDULER
     "; details [string]; unsure [string]; constraints [Constraint]; blocking Blocking; "
     "fits_now boolean; fit Fit; gpus GpuView; devices [DeviceRow]; preemption PodPreemption?; "
     "hole PodHole?; remedies [Remedy]; "
     "start_forecast StartForecast?"},
    {"StartForecast",
     "When it starts by itself. With observed run times `expected` and the range around it from "
     "`earliest` to `latest`; without any only `latest`, if all run to their time limits. "
     "`unknown`: "
     "why there is none. `schedulers`: what the scheduler forecasts. None knows of what is yet to "
     "be submitted.",
     START_FORECAST},
    {"Forecast",
     "What waits, in the order of the queue, with the forecast of its start. `scores`: how good "
     "the "
     "newest thousand forecasts were, against the starts that followed; null where no server kept "
     "them.",
     HEAD "observed_run_times integer; scores ForecastScores?; workloads [ForecastRow]"},
    {"ForecastRow", "",
     "id string; user string?; tasks integer; gpus_requested integer; " START_FORECAST},
    {"ForecastScores", "By schedlens, and by the scheduler, which gives no range.",
     "schedlens ForecastScore; scheduler ForecastScore"},
    {"ForecastScore", "`median_error`: seconds between forecast and start.",
     "scored integer; median_error integer?; within_range integer"},
    {"Starvation",
     "What waits beyond what its class (queue and size) waits, longest first. `too_few_starts` "
     "wait "
     "in classes of which too few starts were seen to tell.",
     HEAD "too_few_starts integer; workloads [StarvingWorkload]"},
    {"StarvingWorkload",
     "`cause`: its root cause. `class_median` and `class_p90`: waits of `class_starts` starts of "
     "its "
     "class; `overtaken_by` of these came later and started while it waited. `policies`: what "
     "makes "
     "it wait, the strongest first.",
     "id string; user string?; tasks integer; gpus_requested integer; cause string; class string; "
     "waited integer; class_starts integer; class_median integer; class_p90 integer; overtaken_by "
     "integer; policies [PolicyFinding]"},
    {"PolicyFinding",
     "`policy`: age_cap, no_age, fair_share, priority_weights, backfill_window, no_plan, "
     "queue_depth, array_throttle, preemption, licences, limit, gang, priority_class, "
     "never_preempts; none where no setting explains it; unknown behind the first fifty, which are "
     "not "
     "looked into.",
     "policy string; evidence string"},
    {"RunHistory",
     "Runs that ended, by time, the newest of them; `more` ended in the time asked for. "
     "`problems`: "
     "files that could not be read; what they hold is missing here.",
     "version integer; runs [EndedRun]; more boolean; problems [string]"},
    {"EndedRun",
     "`state`: the scheduler's word; REQUEUED of a run that another followed, UNKNOWN of one that "
     "was gone between two looks. `gpus`, `cpus`, `nodes_count`: held, or asked for where it never "
     "ran. `last_reason` and `last_cause`: while it waited, as last seen.",
     "id string; scheduler string; array_job integer?; name string?; user string?; account "
     "string?; "
     "queue string?; qos string?; state string; submitted integer?; eligible integer?; started "
     "integer?; ended integer; time_limit integer?; exit_code integer?; exit_signal integer?; "
     "restarts integer?; nodes_count integer?; nodes [string]; cpus integer?; gpus integer?; "
     "gpu_seconds number?; last_reason string?; last_cause string?"},
    {"NodeHistory", "Nodes that left service or came back, by time.",
     "version integer; changes [NodeChange]; more boolean; problems [string]"},
    {"NodeChange", "`from` is null where nothing is known of before.",
     "time integer; node string; from string?; to string; reason string?; author string?; "
     "reason_since integer?; gpus integer?"},
    {"Alerts",
     "`receivers`: who is told; `waiting` alerts of which it does not know the latest. `notes`: "
     "what "
     "could not be told in full.",
     "version integer; time integer; alerts [Alert]; silences [Silence]; receivers "
     "[AlertReceiver]; "
     "notes [string]"},
    {"Alert",
     "`phase`: pending, firing or ended. `names`: the first of `name_count`. `usual`: what is "
     "usual, "
     "of a rule on that. While `unknown_since` nothing is known, and the alert is as it was then.",
     "rule string; severity string; phase string; labels {string}; active_since integer; "
     "firing_since integer?; ended_at integer?; ending string?; value number?; summary string; "
     "meaning string?; remedy string?; names [string]; name_count integer; usual string?; "
     "unknown_since integer?; unknown_why string?; inhibited_by string?; silenced_by string?"},
    {"Silence", "`every`: seconds after which it comes back.",
     "id string; matchers [string]; from integer; until integer; every integer?; active boolean; "
     "author string; comment string"},
    {"AlertReceiver", "", "name string; waiting integer; error string?; last_success integer?"},
    {"AlertHistory", "Alerts that fired, by time; one without `ends` still does.",
     "version integer; alerts [FiredAlert]; more boolean; problems [string]"},
    {"FiredAlert", "",
     "rule string; severity string; starts integer; ends integer?; summary string; labels string; "
     "fingerprint string"},
    {"WeekReport", "`notes`: what is not known, and why.",
     "version integer; title string; from integer; to integer; made integer; notes [string]; "
     "sections [ReportSection]"},
    {"ReportSection", "`measure`: its name; `how`: how its numbers were found.",
     "measure string; title string; said [string]; tables [ReportTable]; plots [ReportPlot]; how "
     "string"},
    {"ReportTable", "", "title string; columns [string]; rows [ReportRow]"},
    {"ReportRow", "", "cells [ReportCell]"},
    {"ReportCell",
     "`unit` is null of a text, else number, seconds, share, gpu_hours or hours; `value` is null "
     "where it is not known.",
     "text string; value number?; unit string?"},
    {"ReportPlot", "", "title string; kind string; unit string; names [string]; values [number?]"},
    {"ConfigHistory", "Configurations that came into force, by time.",
     "version integer; changes [ConfigChange]; more boolean; problems [string]"},
    {"ConfigChange",
     "`source`: slurm.conf, partitions or qos, as the scheduler reports them. `changes`: lines "
     "that "
     "went (-) and came (+); none of the `first` version.",
     "time integer; source string; hash string; first boolean; changes [string]"},
    {"SeriesHistory", "`step`: seconds.",
     "version integer; step number; series [SeriesSteps]; problems [string]"},
    {"SeriesSteps", "Steps without a value are left out.",
     "name string; labels {string}; buckets [SeriesStep]"},
    {"SeriesStep", "Of `n` values from `time` on.",
     "time number; n integer; mean number?; min number?; max number?; last number?"},
    {"SeriesNames", "", "version integer; series [SeriesName]; problems [string]"},
    {"SeriesName", "", "name string; labels {string}"},
    {"Observed",
     "What was seen over time. `lateness`: how long the newest starts that were forecast took, in "
     "waits that were expected.",
     "version integer; run_times RunTimes; class_waits [WaitsOfClass]; lateness [number]"},
    {"WaitsOfClass",
     "`size`: the most that one of the class asks for, GPUs or else CPUs. The newest start is "
     "last.",
     "queue string; gpus boolean; size integer; starts [StartOfClass]"},
    {"StartOfClass", "`priority`: of a pod.", "eligible integer; start integer; priority integer"},
    {"RunTimes",
     "What forecasts are made from: for each kind of work, under a hash of its names, the parts of "
     "their time limits that the newest ones ran. `observed` have been seen to end.",
     "observed integer; kinds [RunTimesOfKind]"},
    {"RunTimesOfKind", "", "kind string; parts [number]"},
    {"Remedy",
     "What would let the workload start. `who`: `user`, `operator`; `command`: lines for a shell; "
     "`starts`: `now` (in the scheduler's next cycle) or `in_turn` (after those ahead of it); "
     "`ends`: running workloads that it ends; `delays`: waiting ones that could start now, and "
     "then could not; null where that is not known. `start_forecast`: of one that starts in its "
     "turn.",
     "who string; kind string; command string; effect string; starts string; ends [string]; "
     "start_forecast StartForecast?; "
     "delays [string]?"},
    {"PodPreemption",
     "Of a pod that fits nowhere: what kube-scheduler does by itself, or would do where its "
     "preemptionPolicy is not Never (`may`): the pods it ends on one node, the most important "
     "first. `budgets_broken`: of these, those whose disruption budget has nothing to spare; "
     "`grace`: the longest time that one of them has to end, in seconds; `nodes`: on how many "
     "nodes preemption would make room; `alike`: of these, how many the scheduler takes as "
     "readily.",
     "may boolean; node string; victims [string]; budgets_broken integer; grace integer?; nodes "
     "integer; alike integer"},
    {"PodHole",
     "Of a pod that fits nowhere: the fewest running pods of one node whose end would let it "
     "start, whatever their priority. `latest`: when they have ended by their deadlines; "
     "`expected`: going by so many (`observed`) pods of the same owner; null where not known.",
     "node string; ends [string]; expected integer?; latest integer?; observed integer"},
    {"Owner", "Of a pod: what made it, and the groups and queues it belongs to, outwards.",
     "kind string; name string"},
    {"DeviceRow",
     "What one request of a ResourceClaim that has no devices yet finds: on each node with devices "
     "that match, how many match, are free and are free but for a taint. `held_by`: claims, as "
     "namespace/name, that have some of them. `count` means nothing where `all` is true.",
     "claim string; request string; device_class string; all boolean; count integer; selectors "
     "[string]; nodes [DevicesOfNode]; held_by [string]"},
    {"DevicesOfNode", "", "name string; matching integer; free integer; tainted integer"},
    {"SchedulerCount",
     "Nodes that kube-scheduler would count under this reason: under the first test that they "
     "fail.",
     "reason string; count integer"},
    {"RootCause",
     "`class` is one of hold, dependency, begin_time, gang, limit, licence, volume, reservation, "
     "constraint, unhealthy_nodes, fragmentation, capacity, priority, not_considered, impossible; "
     "none for what does not wait; unknown where what was read does not explain it.",
     "class string; summary string"},
    {"Constraint",
     "A test that nodes must pass: how many it rules out, how many it alone does, and which.",
     "name string; detail string?; ruled_out integer; only integer; nodes [string]; only_nodes "
     "[string]"},
    {"Blocking", "",
     "limits [ReachedLimit]; reservations [BlockingReservation]; unhealthy_nodes [UnhealthyNode]; "
     "ahead [Ahead]"},
    {"ReachedLimit",
     "`filled_by` has the largest users first. `requested` is null where the "
     "job asks for time without end.",
     "holder string; name string; resource string?; unit string?; limit number; used number?; "
     "requested number?; request_alone_exceeds boolean; filled_by [LimitUse]"},
    {"LimitUse", "", "holder string; amount number"},
    {"BlockingReservation", "",
     "name string; start integer?; end integer?; nodes [string]; effect string"},
    {"UnhealthyNode", "`would_fit`: in service it would hold the job's share now.",
     "name string; state string; reason string?; would_fit boolean"},
    {"Ahead", "A job that would be served first from the same nodes.",
     "id string; user string?; priority integer?; gpus_requested integer; tasks integer"},
    {"Fit", "", "nodes_needed integer; nodes_passing integer; nodes [string]"},
    {"GpuView", "The GPUs of the nodes that the job may use.",
     "requested integer; requested_per_node integer; free integer; free_allocatable integer; "
     "stranded integer; largest_hole integer; out_of_service integer"},
    {"Frag", "",
     HEAD
     "gpus FragGpus; by_size [SizeShare]; standard_shapes [Shape]; queue_shapes [Shape]; queue "
     "FragQueue; nodes [NodeFrag]; needs_per_gpu [GpuNeed]; unsure [string]"},
    {"FragGpus", "`free` is the sum of `allocatable`, `planned` and `stranded`.",
     "total integer; used integer; free integer; out_of_service integer; allocatable integer; "
     "planned integer; stranded integer; largest_hole integer; stranded_by {integer}"},
    {"SizeShare",
     "The share of the allocatable GPUs that a stream of jobs of so many GPUs on one node could "
     "not use.",
     "gpus integer; unusable_share number?"},
    {"Shape",
     "How many jobs of this shape could start now, and if the free resources stood in one place.",
     "shape string; queue string?; gpus integer; waiting integer; fits_now integer; fits_pooled "
     "integer"},
    {"FragQueue", "",
     "gpus_waiting integer; gpus_startable integer; gpus_startable_pooled integer"},
    {"NodeFrag", "`score` is 1 - allocatable / total.",
     "name string; state string; in_service boolean; total integer; free integer; allocatable "
     "integer; stranded integer; stranded_by string?; score number"},
    {"GpuNeed", "What is taken to go with one GPU, and on what ground.",
     "queue string?; cpus_per_gpu number; memory_per_gpu integer; memory_per_job integer; basis "
     "string?"},
    {"Efficiency",
     "Every GPU counts in exactly one state of `gpus`, so that these add up to `gpus_total`: with "
     "Kubernetes it includes unhealthy devices, which no other count does. `queues` are of Slurm "
     "only. docs/efficiency.md says how each state is found.",
     HEAD "gpus_total integer; gpus {integer}; parts [GpuLedgerPart]; queues [QueueLedger]; idle "
          "[IdleGpus]; findings [EfficiencyFinding]; counted EfficiencyCounts?; unsure [string]"},
    {"EfficiencyCounts",
     "What a server has counted since it started, by GPU time; null from a scheduler or a file. "
     "`unseen` are runs that ended and were gone between two looks. `latest`: the last 50 "
     "preemptions, newest first.",
     "since integer; until integer; time [StateTime]; lost [LostTime]; unseen_runs integer; "
     "unseen_gpu_seconds number; preemptions [PreemptionCount]; latest [Preemption]"},
    {"StateTime", "", "state string; cause string?; gpu_seconds number"},
    {"LostTime", "Of whole runs that ended badly.",
     "cause string; runs integer; gpu_seconds number"},
    {"PreemptionCount",
     "Of partitions and QOS, or namespaces and priority classes. The preemptor's are null where "
     "nobody knows it.",
     "victim_queue string?; victim_class string?; preemptor_queue string?; preemptor_class "
     "string?; count integer"},
    {"Preemption",
     "`inferred`: the preemptor is whoever started there then and may preempt the victim. "
     "`gpu_seconds` of the victim's run.",
     "when integer; victim string; victim_queue string?; victim_class string?; preemptor string?; "
     "preemptor_queue string?; preemptor_class string?; inferred boolean; gpus integer; "
     "gpu_seconds number?"},
    {"GpuLedgerPart",
     "`cause` is what stranded GPUs lack (gpus, cpu, memory, cpu_and_memory, pods, devices, "
     "whole_node, nodes), or the root cause that keeps what fits from starting; null for other "
     "states.",
     "state string; cause string?; gpus integer"},
    {"QueueLedger", "A node in several partitions counts in each.", "name string; gpus {integer}"},
    {"IdleGpus",
     "Free GPUs that serve nobody though something waits. `shapes`: what would come closest to "
     "using stranded ones; `workloads`: those that fit and do not start.",
     "state string; cause string?; gpus integer; nodes [string]; shapes [UnplacedShape]; workloads "
     "[string]"},
    {"UnplacedShape", "Waiting jobs of one shape that find no room.",
     "shape string; queue string?; gpus integer; unplaced integer"},
    {"EfficiencyFinding",
     "`kind` is stranded, not_scheduled, waiting_elsewhere, idle_gpus, stalled, unused_cpus or "
     "unused_memory. `exact` is false where the figure is of all `workloads` of the nodes together "
     "and nobody knows whose it is.",
     "kind string; workloads [string]; nodes [string]; gpus integer; cpus number?; memory "
     "integer?; exact boolean; text string"},
    {"Usage",
     "What pods request against what they really use, of Kubernetes only. `oldest` and `newest` "
     "are "
     "of what was counted; what is older than ten minutes counts as not known. `measured` is false "
     "where nothing is known. `devices` come with the rows of nodes.",
     HEAD
     "measured boolean; no_metrics_api boolean; oldest integer?; newest integer?; rows [UsageRow]; "
     "findings [UsageFinding]; devices [DeviceUse]"},
    {"UsageRow",
     "Of a pod, an owner (the topmost), a namespace or a node. CPU is in cores. `whole_node` is "
     "all that a node uses, also outside pods.",
     "pod string?; owner_kind string?; owner string?; namespace string?; node string?; pods "
     "integer; cpu UsageAmount; memory UsageAmount; gpus UsageGpus; cpu_allocatable number?; "
     "memory_allocatable number?; whole_node MeasuredUse?"},
    {"UsageAmount",
     "`used` is of the pods that were measured, and null where none was; compare it with "
     "`requested_measured`, which is what those request.",
     "requested number; used number?; requested_measured number; used_of_requested number?; "
     "pods_unknown integer"},
    {"UsageGpus",
     "`held` is by request, the rest by measurement: `busy` adds up the share of time in which "
     "something ran on each. A device that several pods take turns on counts as a part of one for "
     "each. Parts are MIG instances.",
     "held integer; measured number; busy number?; idle number?; memory number?; memory_total "
     "number?; parts_measured number; parts_busy number?"},
    {"UsageFinding",
     "`kind` is idle_gpus, memory_held (a hint) or used_unallocated. `watched` is null where that "
     "was one look.",
     "kind string; pod string?; owner_kind string?; owner string?; node string?; devices [string]; "
     "gpus number; busiest number; watched integer?; text string"},
    {"MeasuredUse",
     "`cpu` is the mean number of cores over `window`, `memory` the working set; `view` says who "
     "measured: metrics_api, kubelet_resource, kubelet_summary or cadvisor.",
     "cpu number?; memory integer?; sampled integer?; age_seconds integer?; window integer?; view "
     "string"},
    {"DeviceUse",
     "A GPU or a MIG instance, as dcgm-exporter shows it. `pods` are those that hold it, all of "
     "them where they take turns; they are known where `pods_known`.",
     "node string?; index string?; uuid string?; type string?; mig_profile string?; mig_instance "
     "string?; busy number?; busiest number?; watched_since integer?; memory integer?; "
     "memory_total "
     "integer?; last_xid integer?; sampled integer?; pods_known boolean; pods [string]"},
    {"Sources", "", HEAD "sources [Source]"},
    {"Source", "",
     "name string; state string; age_seconds integer?; error string?; last_success integer?; "
     "last_attempt integer?; warnings [string]; records integer; unreadable_records integer; bytes "
     "integer; seconds number; reads integer; failures integer"},
    {"SnapshotFile", "Described in [snapshot-file.md](snapshot-file.md).", ""},
    {"OpenApi", "OpenAPI 3.1.", ""},
    {"Health", "", "alive boolean; version string"},
    {"Readiness", "", "ready boolean; reasons [string]"},
    {"Problem", "", "type string; title string; status integer; detail string"},
});

#undef AS_SCHEDULER
#undef HEAD

bool is_scalar(std::string_view type) {
  return type == "string" || type == "integer" || type == "number" || type == "boolean" ||
         type == "object";
}

// The members of one type's schema, without the braces.
void write_type(JsonWriter& json, std::string_view type, bool nullable) {
  if (type.ends_with('?')) return write_type(json, type.substr(0, type.size() - 1), true);
  if (nullable && !is_scalar(type)) {
    json.key("anyOf");
    json.array([&] {
      json.object([&] { write_type(json, type, false); });
      json.object([&] { json.field("type", "null"); });
    });
  } else if (type == "bound") {
    json.key("anyOf");
    json.array([&] {
      json.object([&] { json.field("type", "integer"); });
      json.object([&] { json.field("const", "unlimited"); });
    });
  } else if (is_scalar(type)) {
    json.key("type");
    if (!nullable) return json.value(type);
    json.array([&] {
      json.value(type);
      json.value("null");
    });
  } else if (type.front() == '[' || type.front() == '{') {
    bool list = type.front() == '[';
    json.field("type", list ? "array" : "object");
    json.key(list ? "items" : "additionalProperties");
    json.object([&] { write_type(json, type.substr(1, type.size() - 2), false); });
  } else {
    json.field("$ref", fmt::format("#/components/schemas/{}", type));
  }
}

}  // namespace

std::span<const Schema> schemas() {
  return kSchemas;
}

std::vector<SchemaField> fields_of(const Schema& schema) {
  std::vector<SchemaField> fields;
  for (auto line : split(schema.fields, ';')) {
    auto parts = cut(trim(line), ' ');
    if (parts) fields.push_back({parts->first, trim(parts->second)});
  }
  return fields;
}

void write_schemas(JsonWriter& json) {
  for (const auto& schema : kSchemas) {
    json.key(schema.name);
    json.object([&] {
      json.field("type", "object");
      if (!schema.note.empty()) json.field("description", schema.note);
      auto fields = fields_of(schema);
      if (fields.empty()) return;
      json.key("properties");
      json.object([&] {
        for (const auto& field : fields) {
          json.key(field.name);
          json.object([&] { write_type(json, field.type, false); });
        }
      });
      json.key("required");
      json.array([&] {
        for (const auto& field : fields) json.value(field.name);
      });
    });
  }
}

}  // namespace schedlens::api
