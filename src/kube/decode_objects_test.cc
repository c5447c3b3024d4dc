// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "base/time_text.h"
#include "kube/samples_test.h"
#include "model/kubernetes.h"
#include "model/node_object.h"

namespace schedlens::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string from_hex(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// All objects of one kind, by name.
template <class T>
std::map<std::string, T> all(std::string_view kind,
                             Result<Decoded<T>> (*decode)(std::string_view)) {
  std::map<std::string, T> found;
  const auto lines = sample("objects.hex");
  for (const auto line : split(lines, '\n')) {
    const auto sides = cut(line, ' ');
    if (!sides || sides->first != kind) continue;
    auto object = decode(from_hex(sides->second));
    EXPECT_TRUE(object) << object.error().message();
    if (object) found.emplace(object->meta.name, std::move(object->object));
  }
  EXPECT_FALSE(found.empty()) << kind;
  return found;
}

TEST(DecodeObjects, Namespaces) {
  const auto found = all("Namespace", decode_namespace);
  EXPECT_EQ(found.at("train").name, Symbol("train"));
  EXPECT_EQ(*found.at("train").labels.find(Symbol("team")), "vision");
  EXPECT_FALSE(found.at("train").terminating);
  EXPECT_TRUE(found.at("dying").terminating);
}

TEST(DecodeObjects, PriorityClasses) {
  const auto found = all("PriorityClass", decode_priority_class);
  EXPECT_EQ(found.at("prod-high").value, 100000);
  EXPECT_TRUE(found.at("never-preempt").never_preempts);
  EXPECT_FALSE(found.at("prod-high").never_preempts);
  EXPECT_EQ(found.at("system-node-critical").value, 2000001000);
}

TEST(DecodeObjects, Quotas) {
  const auto found = all("ResourceQuota", decode_resource_quota);
  const auto& real = found.at("gpu-quota");
  EXPECT_EQ(real.ns, Symbol("quota"));
  EXPECT_EQ(real.hard.get(Symbol("requests.nvidia.com/gpu")), 4);
  const auto& scoped = found.at("scoped");
  // What is enforced, not what the spec asks for.
  EXPECT_EQ(scoped.hard.get(Symbol("requests.cpu")), 10000);
  EXPECT_EQ(scoped.used.get(Symbol("requests.cpu")), 2500);
  EXPECT_EQ(scoped.hard.get(Symbol("limits.memory")), std::int64_t{1} << 40);
  EXPECT_EQ(scoped.hard.get(Symbol("count/jobs.batch")), 2);
  EXPECT_FALSE(scoped.used.find(Symbol("count/jobs.batch")));
  EXPECT_THAT(scoped.scopes,
              ElementsAre("NotTerminating", "PriorityClass In (high, low)", "BestEffort Exists"));
}

// In thousandths it does not fit, and must not become less than it is.
TEST(DecodeObjects, AQuotaWithoutAnEnd) {
  const auto status = Message()
                          .amount(1, "requests.nvidia.com/gpu", "1E")
                          .amount(1, "requests.cpu", "1E")
                          .amount(1, "requests.memory", "9E");
  const auto quota = decode_resource_quota(
      Message().message(1, Message().text(1, "q").text(3, "ml")).message(3, status).bytes());
  ASSERT_TRUE(quota) << quota.error().message();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto& hard = quota->object.hard;
  EXPECT_EQ(hard.get(Symbol("requests.nvidia.com/gpu")), 1'000'000'000'000'000'000);
  EXPECT_EQ(hard.get(Symbol("requests.cpu")), kMost);
  EXPECT_EQ(hard.get(Symbol("requests.memory")), 9'000'000'000'000'000'000);
}

TEST(DecodeObjects, DisruptionBudgets) {
  const auto found = all("PodDisruptionBudget", decode_disruption_budget);
  EXPECT_EQ(to_text(*found.at("keep").pods), "app=x, tier notin (a, b), gpu");
  EXPECT_EQ(found.at("keep").disruptions_allowed, 2);
  // An empty selector is all pods, an absent one none.
  ASSERT_TRUE(found.at("all").pods);
  EXPECT_TRUE(found.at("all").pods->all.empty());
  EXPECT_FALSE(found.at("none").pods);
  // Before 1.21 an empty one was none, too.
  const auto beta = all("PodDisruptionBudget", decode_beta_disruption_budget);
  EXPECT_EQ(to_text(*beta.at("keep").pods), "app=x, tier notin (a, b), gpu");
  EXPECT_FALSE(beta.at("all").pods);
  EXPECT_FALSE(beta.at("none").pods);
}

TEST(DecodeObjects, VolumeClaims) {
  const auto found = all("PersistentVolumeClaim", decode_volume_claim);
  const auto& waiting = found.at("pvc-wait");
  EXPECT_EQ(waiting.phase, model::ClaimPhase::kPending);
  EXPECT_EQ(waiting.storage_class, Symbol("local-wait"));
  EXPECT_FALSE(waiting.read_write_once_pod);
  EXPECT_GT(waiting.request_bytes, 0);
  EXPECT_FALSE(waiting.selector);
  const auto& old = found.at("old-claim");
  EXPECT_EQ(old.phase, model::ClaimPhase::kBound);
  EXPECT_EQ(old.volume, "pv-1");
  EXPECT_EQ(old.storage_class, Symbol("gold"));
  EXPECT_TRUE(old.read_write_once_pod);
  EXPECT_EQ(old.request_bytes, std::int64_t{10} << 30);
  EXPECT_EQ(old.volume_mode, "Block");
  EXPECT_TRUE(old.selector);
}

TEST(DecodeObjects, Volumes) {
  const auto volume = all("PersistentVolume", decode_volume).at("pv-1");
  EXPECT_EQ(volume.claim, "train/old-claim");
  EXPECT_EQ(volume.capacity_bytes, std::int64_t{20} << 30);
  EXPECT_EQ(volume.csi_driver, "csi.example.org");
  EXPECT_EQ(volume.storage_class, Symbol("gold"));
  EXPECT_EQ(volume.phase, "Bound");
  ASSERT_TRUE(volume.node_affinity);
  ASSERT_EQ(volume.node_affinity->size(), 1u);
  EXPECT_EQ(to_text(volume.node_affinity->at(0).labels[0]), "kubernetes.io/hostname=gpu-003");
}

TEST(DecodeObjects, StorageClasses) {
  const auto found = all("StorageClass", decode_storage_class);
  EXPECT_TRUE(found.at("local-wait").wait_for_first_consumer);
  EXPECT_FALSE(found.at("imm").wait_for_first_consumer);
  EXPECT_FALSE(found.at("imm").is_default);
  const auto& standard = found.at("standard");
  EXPECT_TRUE(standard.is_default);
  EXPECT_EQ(standard.provisioner, "csi.example.org");
  ASSERT_EQ(standard.allowed_topologies.size(), 1u);
  EXPECT_EQ(to_text(standard.allowed_topologies[0].labels[0]), "zone in (a, b)");
}

TEST(DecodeObjects, JobsWantWhatIsLeftToDo) {
  const auto found = all("Job", decode_job);
  // A quota lets two of four pods be.
  EXPECT_EQ(found.at("job-in-quota").desired, 4);
  EXPECT_EQ(found.at("job-in-quota").existing, 2);
  EXPECT_EQ(found.at("nearly-done").desired, 2);
  EXPECT_EQ(found.at("nearly-done").existing, 1);
  // Without completions the first success ends the making of pods.
  EXPECT_EQ(found.at("queue").desired, 2);
  EXPECT_TRUE(found.at("over").finished);
  EXPECT_EQ(found.at("over").desired, 0);
  EXPECT_TRUE(found.at("held").suspended);
  EXPECT_FALSE(found.at("held").finished);
  EXPECT_EQ(found.at("held").created, Timestamp{1700000000});
}

// From its start on, which it has once it is not suspended any more.
TEST(DecodeObjects, AJobsDeadline) {
  const auto decode = [](const Message& status) {
    const auto meta = Message().text(1, "j").text(3, "ml");
    const auto spec = Message().number(3, 3600);
    const auto job =
        decode_job(Message().message(1, meta).message(2, spec).message(3, status).bytes());
    EXPECT_TRUE(job);
    return job->object.deadline;
  };
  EXPECT_EQ(decode(Message().time(2, 1'700'000'000)), Timestamp{1'700'003'600});
  EXPECT_EQ(decode(Message()), std::nullopt);
}

TEST(DecodeObjects, ReplicatedControllers) {
  const auto set = all("ReplicaSet", decode_replica_set).at("web-5d");
  EXPECT_EQ(set.kind, Symbol("ReplicaSet"));
  EXPECT_EQ(set.desired, 3);
  EXPECT_EQ(set.existing, 1);
  ASSERT_TRUE(set.owner);
  EXPECT_EQ(set.owner->name, "web");
  const auto web = all("Deployment", decode_deployment).at("web");
  EXPECT_EQ(web.desired, 0);
  EXPECT_EQ(web.existing, 2);
  EXPECT_EQ(web.ns, Symbol("train"));
  const auto db = all("StatefulSet", decode_stateful_set).at("db");
  EXPECT_EQ(db.desired, 1);  // unset is one
  EXPECT_EQ(db.existing, 1);
  const auto agent = all("DaemonSet", decode_daemon_set).at("agent");
  EXPECT_EQ(agent.desired, 64);
  EXPECT_EQ(agent.existing, 63);
}

const model::Event& event_about(const std::map<std::string, model::Event>& events,
                                std::string_view reason, std::string_view note = "") {
  const auto found = std::find_if(events.begin(), events.end(), [&](const auto& e) {
    return e.second.reason.view() == reason && e.second.note.find(note) != std::string::npos;
  });
  EXPECT_NE(found, events.end()) << reason;
  return found->second;
}

void expect_scheduler_event(const model::Event& failed) {
  EXPECT_EQ(failed.kind, Symbol("Pod"));
  EXPECT_FALSE(failed.name.empty());
  EXPECT_FALSE(failed.uid.empty());
  EXPECT_EQ(failed.reporter, Symbol("default-scheduler"));
  EXPECT_THAT(failed.note, HasSubstr("nodes are available"));
  ASSERT_TRUE(failed.first);
  ASSERT_TRUE(failed.last);
  EXPECT_LE(*failed.first, *failed.last);
  EXPECT_GE(failed.count, 1u);
}

TEST(DecodeObjects, EventsOfTheScheduler) {
  const auto events = all("Event.events.k8s.io", decode_event);
  expect_scheduler_event(event_about(events, "FailedScheduling"));
  EXPECT_THAT(event_about(events, "Scheduled").note, HasSubstr("Successfully assigned"));
  const auto& refused = event_about(events, "FailedCreate", "exceeded quota");
  EXPECT_EQ(refused.kind, Symbol("Job"));
  EXPECT_EQ(refused.reporter, Symbol("job-controller"));
  EXPECT_THAT(refused.note, HasSubstr("exceeded quota"));
}

TEST(DecodeObjects, CoreEvents) {
  const auto events = all("Event", decode_core_event);
  expect_scheduler_event(event_about(events, "FailedScheduling"));
  const auto& old = events.at("old.1");
  EXPECT_EQ(old.reporter, Symbol("job-controller"));
  EXPECT_EQ(old.first, Timestamp{1700000000});
  EXPECT_EQ(old.last, Timestamp{1700000500});
  EXPECT_EQ(old.count, 5u);
}

// A repeated event counts in its series, with the time of the last one.
TEST(DecodeObjects, SeriesOfEvents) {
  const auto series = Message().number(1, 7).time(2, 900);
  const auto about = Message().text(1, "Pod").text(2, "ns").text(3, "p").text(4, "u");
  const auto event = decode_event(Message()
                                      .message(1, Message().text(1, "e"))
                                      .time(2, 300)
                                      .message(3, series)
                                      .message(8, about)
                                      .bytes());
  ASSERT_TRUE(event);
  EXPECT_EQ(event->object.count, 7u);
  EXPECT_EQ(event->object.first, Timestamp{300});
  EXPECT_EQ(event->object.last, Timestamp{900});
}

}  // namespace
}  // namespace schedlens::kube
