# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the end-to-end tests share: expectations that are counted, and a summary that fails.

checks=0 failures=0

# expect WHAT ACTUAL EXPECTED (a pattern)
expect() {
    checks=$((checks + 1))
    # shellcheck disable=SC2053 # a pattern
    if [[ $2 == $3 ]]; then
        printf 'ok    %s\n' "$1"
    else
        failures=$((failures + 1))
        printf 'FAIL  %s: got "%s", not "%s"\n' "$1" "$2" "$3"
    fi
}

# soon SECONDS EXPECTED COMMAND...: waits for output that the pattern fits, and prints the last.
soon() {
    local end=$((SECONDS + $1)) pattern=$2 seen
    shift 2
    while
        seen=$("$@" 2>&1)
        # shellcheck disable=SC2053 # a pattern
        [[ $seen != $pattern ]] && ((SECONDS < end))
    do sleep 0.3; done
    printf '%s' "$seen"
}

summary() {
    echo "$((checks - failures)) of $checks expectations met"
    ((failures == 0))
}
