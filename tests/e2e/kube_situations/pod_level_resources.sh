# SPDX-License-Identifier: Apache-2.0
# What the pod as a whole asks for counts instead of its containers.
since=34
says='*64 Insufficient cpu.*'
class=impossible
make() { shaped p "cpu: 1" "resources: {requests: {cpu: 97}, limits: {cpu: 97}}" | apply; }
facts='.root_cause.summary | contains("97 cpu")'
