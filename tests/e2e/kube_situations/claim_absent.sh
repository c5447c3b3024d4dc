# SPDX-License-Identifier: Apache-2.0
# The volume claim does not exist.
says='0/64 nodes are available: persistentvolumeclaim "data" not found.*'
class=volume
make() { shaped p "" "$(uses_claim data)" | apply; }
facts='.root_cause.summary | contains("data")'
