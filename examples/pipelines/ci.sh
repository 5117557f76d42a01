#!/bin/sh
# Hostwright in a pipeline. Called from the top of a git repository that holds a configuration:
#
#   ci.sh plan             makes a plan and writes it, with its readable forms, into a directory
#   ci.sh apply PLANFILE   applies exactly that plan
#   ci.sh drift            compares the account with the configuration, saves no plan
#   ci.sh keep             keeps the state, where an apply was killed before it could
#
# Exit codes: 0 done, or nothing to do; 1 an error; 2 plan and drift: there are changes; 130 interrupted.
#
# Set HOSTWRIGHT_BASE_URL to the address of the service: otherwise the YAML of a pull request could choose who gets the
# token.
#
#   HW_DIR            the directory of the configuration                           (.)
#   HW_OUT            where plan and drift write to; emptied first                 (hostwright-plan)
#   HW_STATE_BRANCH   the branch of "origin" that the state is kept on; set and
#                     empty: it stays in HW_DIR/.hostwright, on this machine       (hostwright-state)
#   HW_TOKEN_COMMAND  a command that prints the access token; else HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE
set -eu

dir=${HW_DIR:-.}
out=${HW_OUT:-hostwright-plan}
branch=${HW_STATE_BRANCH-hostwright-state}

# Nobody who reviews a pull request has allowed these. Who needs one deletes its name here.
unset HOSTWRIGHT_ALLOW_COMMANDS HOSTWRIGHT_ALLOW_OUTSIDE_FILES

say() {
  printf 'ci.sh: %s\n' "$*" >&2
}

fail() {
  say "$*"
  exit 1
}

# --- The log: what is printed holds texts of strangers, and none of it may be taken for a command of the host.

mute() {
  [ -n "${GITHUB_ACTIONS-}" ] || return 0
  # In one stream, so that nothing is printed behind the end of it.
  exec 2>&1
  mark=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$mark"
  trap 'printf "\n::%s::\n" "$mark"' EXIT
}

# Prints files without the control characters that, on GitLab, make a section of a text.
print() {
  cat "$@" | LC_ALL=C tr -d '\000-\010\013-\037\177'
}

hw() {
  if [ -n "${HW_TOKEN_COMMAND-}" ]; then
    hostwright --token-command "$HW_TOKEN_COMMAND" "$@"
  else
    hostwright "$@"
  fi
}

# Where the configuration stands in the repository: "" at its top, else "path/".
prefix() {
  (cd "$dir" && git rev-parse --show-prefix)
}

# --- The state: a file on a branch of its own. A push that is no fast-forward is refused, so nothing is overwritten.

# The branch as it was fetched last, and as the state of this configuration was taken from it or put on it.
tip=refs/hostwright/tip
loaded=refs/hostwright/loaded-$(prefix | git hash-object --stdin)

fetch_state() {
  found=0
  git ls-remote --quiet --exit-code origin "refs/heads/$branch" >/dev/null || found=$?
  case $found in
    0) git fetch --quiet --no-tags --depth=1 origin "+refs/heads/$branch:$tip" ;;
    2) git update-ref -d "$tip" ;; # there is none yet
    *) fail "the branch $branch cannot be read from origin" ;;
  esac
}

# The name of the content that a ref has for the state; nothing where it has none.
blob_of() {
  git rev-parse --quiet --verify "$1:$(prefix)state.json" || true
}

# Whether anything was ever recorded on this machine.
has_state() {
  [ -n "$(ls "$dir/.hostwright/state.json" "$dir"/.hostwright/journal.*jsonl 2>/dev/null)" ]
}

load_state() {
  [ -n "$branch" ] || return 0
  fetch_state
  # What is here was made of what is there, and may have more in it.
  if has_state && [ "$(blob_of "$tip")" = "$(blob_of "$loaded")" ]; then return 0; fi
  git update-ref -d "$loaded"
  [ -n "$(blob_of "$tip")" ] || return 0
  git cat-file blob "$(blob_of "$tip")" | hostwright --chdir "$dir" state push - >/dev/null
  git update-ref "$loaded" "$tip"
}

save_state() {
  [ -n "$branch" ] && has_state || return 0
  state=$(hostwright --chdir "$dir" state pull)
  blob=$(printf '%s\n' "$state" | git hash-object -w --stdin)
  for _ in 1 2 3 4 5; do
    fetch_state
    [ "$(blob_of "$tip")" != "$blob" ] || return 0
    [ "$(blob_of "$tip")" = "$(blob_of "$loaded")" ] ||
      fail "another run has kept a state since this one began, and this one is not kept: let one run at a time, then plan with --adopt"
    commit=$(commit_state "$blob")
    if git push --quiet origin "$commit:refs/heads/$branch"; then
      git update-ref "$loaded" "$commit"
      return 0
    fi
    say "the branch $branch has moved on: once more"
  done
  fail "the state could not be pushed to the branch $branch"
}

commit_state() (
  index=$(git rev-parse --git-dir)/hostwright-index
  rm -f "$index"
  export GIT_INDEX_FILE="$index"
  export GIT_AUTHOR_NAME=hostwright GIT_AUTHOR_EMAIL=hostwright@localhost
  export GIT_COMMITTER_NAME=hostwright GIT_COMMITTER_EMAIL=hostwright@localhost
  parent=
  if git rev-parse --quiet --verify "$tip" >/dev/null; then
    git read-tree "$tip"
    parent="-p $(git rev-parse "$tip")"
  fi
  git update-index --add --cacheinfo "100644,$1,$(prefix)state.json"
  # shellcheck disable=SC2086 # two words, or none
  git commit-tree $parent -m "State of ${dir} [skip ci]" "$(git write-tree)"
  rm -f "$index"
)

# --- What the pipeline calls

empty_out() {
  rm -rf "$out"
  (umask 077 && mkdir -p "$out")
}

plan() {
  load_state
  empty_out
  code=0
  hw plan "$dir" --detailed-exitcode --out "$out/plan" --format markdown >"$out/plan.md" || code=$?
  case $code in
    0 | 2)
      hostwright show "$out/plan" >"$out/plan.txt"
      print "$out/plan.txt"
      hostwright show "$out/plan" --format json >"$out/plan.json"
      hostwright show "$out/plan" --format html >"$out/plan.html"
      hostwright show "$out/plan" --format sarif >"$out/plan.sarif"
      hostwright show "$out/plan" --format junit >"$out/plan.junit.xml"
      # What apply asks for: the plan is for this content of the configuration and no other.
      git rev-parse "HEAD:$(prefix)" >"$out/configuration"
      ;;
    1)
      print "$out/plan.md"
      # A plan that is refused is not saved: its findings are asked for once more.
      hw plan "$dir" --format sarif >"$out/plan.sarif" 2>/dev/null || true
      hw plan "$dir" --format junit >"$out/plan.junit.xml" 2>/dev/null || true
      ;;
  esac
  return "$code"
}

apply() {
  [ -f "$1" ] || fail "there is no plan $1: make one with ci.sh plan"
  of=$(dirname "$1")/configuration
  if [ -f "$of" ] && [ "$(cat "$of")" != "$(git rev-parse "HEAD:$(prefix)")" ]; then
    fail "the configuration is not the one that was planned, so the plan is stale: make it again"
  fi
  load_state
  mkdir -p "$out"
  set -- "$1" --json-into "$out/events.jsonl"
  if [ -n "${HW_TOKEN_COMMAND-}" ]; then set -- --token-command "$HW_TOKEN_COMMAND" "$@"; fi
  # In the background, so that a signal is heard here: it is handed on, what runs is waited for, and the state is kept.
  hostwright apply "$@" &
  child=$!
  # Hostwright takes a hangup for a first interrupt and never for a second one: it may have got the signal, too.
  trap 'kill -HUP "$child" 2>/dev/null || true' HUP INT TERM
  code=0
  wait "$child" || code=$?
  while kill -0 "$child" 2>/dev/null; do
    code=0
    wait "$child" || code=$?
  done
  save_state
  return "$code"
}

drift() {
  load_state
  empty_out
  code=0
  hw plan "$dir" --detailed-exitcode --format markdown >"$out/plan.md" || code=$?
  print "$out/plan.md"
  return "$code"
}

case "${1-}" in
  plan | apply | drift)
    [ -n "${HOSTWRIGHT_BASE_URL-}" ] ||
      fail 'HOSTWRIGHT_BASE_URL is not set: give the pipeline the address of the service, as a variable of the host'
    ;;
esac
mute
case "${1-}" in
  plan) plan ;;
  apply) apply "${2:?a saved plan is wanted: ci.sh apply PLANFILE}" ;;
  drift) drift ;;
  keep) save_state ;;
  *) fail 'use: ci.sh plan, ci.sh apply PLANFILE, ci.sh drift or ci.sh keep' ;;
esac
