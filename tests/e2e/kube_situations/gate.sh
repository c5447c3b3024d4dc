# SPDX-License-Identifier: Apache-2.0
# Somebody holds it back by a scheduling gate.
since=27
says='Scheduling is blocked due to non-empty scheduling gates'
class=hold
make() { shaped p "" "schedulingGates: [{name: example.com/budget}]" | apply; }
facts='.root_cause.summary | contains("example.com/budget")'
remedy() { kubectl patch pod p --type json -p "[{\"op\": \"remove\", \"path\": \"/spec/schedulingGates\"}]" >/dev/null; }
