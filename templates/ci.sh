#!/bin/sh
# Hostwright in a pipeline: what action.yml and hostwright.yml run, and any other pipeline can. Called from the top of a git
# repository that holds a configuration:
#
#   ci.sh plan             makes a plan and writes it, with its readable forms, into a directory
#   ci.sh apply PLANFILE   applies exactly that plan, or refuses it
#   ci.sh drift            compares the account with the configuration, saves no plan
#
# Exit codes: 0 done, or nothing to do; 1 an error; 2 plan and drift: there are changes; 130 interrupted.
#
# Set HOSTWRIGHT_BASE_URL to the address of the service, and HOSTWRIGHT_STATE to where the state is: otherwise the YAML of
# a pull request could choose who gets the token, and who gets the state and its credentials.
#
# A plan is compared with what apply comes to by itself, so that whoever replaces the file changes nothing. Variables have to be
# set for both. Where only trusted jobs make plans that are applied, give them, and no other, a secret HOSTWRIGHT_PLAN_KEY:
# their plans are sealed with it, and apply takes no other.
#
#   HW_DIR            the directory of the configuration                           (.)
#   HW_OUT            where plan and drift write to; emptied first                 (hostwright-plan)
#   HW_LOCK_TIMEOUT   how long to wait for another run to release the state        (30m)
#   HW_TOKEN_COMMAND  a command that prints the access token; else HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE
#   HW_ALLOW          which of the leaves below it passes on, by their names       (none)
set -eu

dir=${HW_DIR:-.}
out=${HW_OUT:-hostwright-plan}
patience=${HW_LOCK_TIMEOUT:-30m}

# Nobody who reviews a pull request has allowed these.
for leave in HOSTWRIGHT_ALLOW_COMMANDS HOSTWRIGHT_ALLOW_OUTSIDE_FILES; do
  case " ${HW_ALLOW-} " in
    *" $leave "*) ;;
    *) unset "$leave" ;;
  esac
done

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

# The counts that a merge request of GitLab shows.
count() {
  node -e '
    const { resource_changes: changes } = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const count = (action) => changes.filter(({ change }) => change.actions.includes(action)).length;
    const [create, update, remove] = ["create", "update", "delete"].map(count);
    console.log(JSON.stringify({ create, update, delete: remove }));
  '
}

# Where the configuration stands in the repository: "" at its top, else "path/".
prefix() {
  (cd "$dir" && git rev-parse --show-prefix)
}

# --- What the pipeline calls

# Modules from git are fetched as the lock file pins them, and the file stays as it is. Without them there is no plan, and
# the plan says so where people look for it.
fetch_modules() {
  [ -f "$dir/hostwright.lock.yaml" ] || return 0
  hostwright init "$dir" --lockfile readonly >&2 || say 'the modules from git could not be fetched'
}

empty_out() {
  rm -rf "$out"
  (umask 077 && mkdir -p "$out")
}

# A plan that is refused is not saved: its findings are asked for once more. Where they are gone meanwhile, or were about the
# saving, there is no file: an empty one would say that all is well.
find_faults() {
  status=0
  hw plan "$dir" --format "$1" >"$2" 2>/dev/null || status=$?
  [ "$status" -eq 1 ] && [ -s "$2" ] || rm "$2"
}

plan() {
  empty_out
  fetch_modules
  code=0
  # No lock is taken, so plans run side by side. A plan that is saved waits for an apply to end: it would be stale.
  # The comment says how the plan ends on a copy of the account: nothing is sent for that.
  hw plan "$dir" --detailed-exitcode --lock-timeout "$patience" --rehearse --out "$out/plan" \
    --format markdown >"$out/plan.md" || code=$?
  case $code in
    0 | 2)
      hostwright show "$out/plan" >"$out/plan.txt"
      print "$out/plan.txt"
      hostwright show "$out/plan" --format json >"$out/plan.json"
      count <"$out/plan.json" >"$out/report.json"
      hostwright show "$out/plan" --format html >"$out/plan.html"
      hostwright show "$out/plan" --format sarif >"$out/plan.sarif"
      hostwright show "$out/plan" --format junit >"$out/plan.junit.xml"
      # What apply asks for: the plan is for this content of the configuration and no other.
      git rev-parse "HEAD:$(prefix)" >"$out/configuration"
      ;;
    1)
      print "$out/plan.md"
      # A fault of the command line stands in the log alone.
      [ -s "$out/plan.md" ] || rm "$out/plan.md"
      find_faults sarif "$out/plan.sarif"
      find_faults junit "$out/plan.junit.xml"
      ;;
  esac
  return "$code"
}

apply() {
  [ -f "$1" ] || fail "there is no plan $1: make one with ci.sh plan"
  # Whoever made the plan made this, too: it only says early what apply finds out by itself.
  of=$(dirname "$1")/configuration
  if [ -f "$of" ] && [ "$(cat "$of")" != "$(git rev-parse "HEAD:$(prefix)")" ]; then
    fail "the configuration is not the one that was planned, so the plan is stale: make it again"
  fi
  mkdir -p "$out"
  fetch_modules
  set -- "$1" "$dir" --json-into "$out/events.jsonl" --lock-timeout "$patience"
  if [ -n "${HW_TOKEN_COMMAND-}" ]; then set -- --token-command "$HW_TOKEN_COMMAND" "$@"; fi
  # In the background, so that the shell can pass a signal on and wait for what runs.
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
  return "$code"
}

drift() {
  empty_out
  fetch_modules
  code=0
  hw plan "$dir" --detailed-exitcode --format markdown >"$out/plan.md" || code=$?
  print "$out/plan.md"
  # Nothing is saved that could be shown in another form.
  if [ "$code" -eq 2 ]; then
    hw plan "$dir" --format json >"$out/plan.json" || rm -f "$out/plan.json"
  fi
  return "$code"
}

case "${1-}" in
  plan | apply | drift)
    [ -n "${HOSTWRIGHT_BASE_URL-}" ] ||
      fail 'HOSTWRIGHT_BASE_URL is not set: give the pipeline the address of the service, as a variable of the host'
    [ -n "${HOSTWRIGHT_STATE-}" ] ||
      fail 'HOSTWRIGHT_STATE is not set: give the pipeline the place of the state, as a variable of the host'
    ;;
esac
mute
case "${1-}" in
  plan) plan ;;
  apply) apply "${2:?a saved plan is wanted: ci.sh apply PLANFILE}" ;;
  drift) drift ;;
  *) fail 'use: ci.sh plan, ci.sh apply PLANFILE or ci.sh drift' ;;
esac
