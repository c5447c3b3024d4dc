# SPDX-License-Identifier: Apache-2.0
# Its ResourceClaim does not exist, and nobody says so.
since=34
says=''
class=dependency
make() { shaped p "" "resourceClaims: [{name: d, resourceClaimName: devices}]" | apply; }
facts='.root_cause.summary | contains("ResourceClaim devices does not exist")'
