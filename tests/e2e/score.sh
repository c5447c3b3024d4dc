# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# How often schedlens was right, by kind of question. A situation answers into the array outcome, 1 or
# 0 by kind; tally adds that up, and score fails where less than 99 of 100 answers of a kind are right.

declare -A right=() asked=()

tally() {
    local kind
    for kind in "${!outcome[@]}"; do
        asked[$kind]=$((${asked[$kind]:-0} + 1))
        right[$kind]=$((${right[$kind]:-0} + outcome[$kind]))
    done
}

score() {
    local kind failed=0
    for kind in $(printf '%s\n' "${!asked[@]}" | sort); do
        printf '  %-8s %d of %d\n' "$kind" "${right[$kind]}" "${asked[$kind]}"
        ((right[$kind] * 100 >= asked[$kind] * 99)) || failed=1
    done
    ((${#asked[@]})) || { echo '  nothing was asked'; failed=1; }
    ((failed == 0)) || echo 'less than 99 % of a kind were right'
    return "$failed"
}
