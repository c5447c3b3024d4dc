# SPDX-License-Identifier: Apache-2.0
# It asks for more memory per node than its partition gives.
reason='MaxMemPerLimit'
class=limit
make() {
    job=$(submit alice -p dev --mem=200G --begin=now+3)
    partition dev MaxMemPerNode=100000
}
facts='.blocking.limits | any(.name == "MaxMemPerNode" and .request_alone_exceeds)'
