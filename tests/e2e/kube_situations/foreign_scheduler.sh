# SPDX-License-Identifier: Apache-2.0
# The scheduler that it asks for does not run.
says=''
class=not_considered
make() { shaped p "" "schedulerName: night-shift" | apply; }
facts='.root_cause.summary | contains("\"night-shift\"")'
