# SPDX-License-Identifier: Apache-2.0
# It was bound by hand to a node that does not exist.
says=''
class=not_considered
make() { shaped p "" "nodeName: nowhere" | apply; }
facts='.root_cause.summary | contains("nowhere, which does not exist")'
