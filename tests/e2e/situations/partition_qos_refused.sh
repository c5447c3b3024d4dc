# SPDX-License-Identifier: Apache-2.0
# Its partition does not admit its QOS.
reason='*QOS not permitted*'
class=constraint
make() { job=$(submit alice -p all -q urgent); }
facts='.root_cause.summary | test("urgent") and test("AllowQos")'
