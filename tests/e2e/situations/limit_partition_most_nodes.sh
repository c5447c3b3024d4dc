# SPDX-License-Identifier: Apache-2.0
# One node would do, but it asks for up to three, and its partition gives no job more than two.
reason='PartitionNodeLimit'
class=limit
make() { job=$(submit alice -p dev -N1-3); }
facts='.fits_now and (.blocking.limits | any(.name == "MaxNodes" and .limit == 2 and .requested == 3))'
