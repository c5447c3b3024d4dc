# SPDX-License-Identifier: Apache-2.0
# The template of its claim does not exist, so that no claim is made.
since=34
says=''
class=dependency
make() { shaped p "" "$(uses_template none)" | apply; }
facts='.root_cause.summary | contains("ResourceClaimTemplate none does not exist")'
