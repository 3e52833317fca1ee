#!/usr/bin/env bash
# Starts the daemon without Shakedown: the same programs, in the same order, as one would by hand.
#   ./start-by-hand.sh                                  starts, prints READY <ms>, stops
#   ./start-by-hand.sh node src/daemon-cli.ts "hello"   starts, runs the command, stops
# The command finds DAEMON_URL and LOGS (a folder) in its environment. Everything started ends with it.
set -euo pipefail
cd "$(dirname "$0")"
PATH=$(cd ../.. && pwd)/node_modules/.bin:$PATH
began=$EPOCHREALTIME

folder=$(mktemp -d "${TMPDIR:-/tmp}/daemon.XXXXXX")
base_port=${BASE_PORT:-18800}
declare -A pid

stop_all() {
  trap - EXIT
  trap '' INT TERM # a second Ctrl-C must not keep the folder
  for name in "${!pid[@]}"; do kill -TERM "${pid[$name]}" 2>/dev/null || true; done
  for name in "${!pid[@]}"; do wait "${pid[$name]}" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap stop_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

elapsed_ms() { local now=$EPOCHREALTIME; echo $(((${now/./} - ${began/./}) / 1000)); }
step() { printf '%6d ms  %s\n' "$(elapsed_ms)" "$1" >&2; }

# pause <seconds>: without starting a process.
exec {never}<> <(:)
pause() { read -rt "$1" -u "$never" || true; }

# launch <name> <port> <program>: its output goes to a file.
launch() {
  PORT=$2 node "$3" >"$folder/$1.log" 2>&1 &
  pid[$1]=$!
}

await_port() {
  until { exec {connection}<>"/dev/tcp/127.0.0.1/$2"; } 2>/dev/null; do
    if ! kill -0 "${pid[$1]}" 2>/dev/null; then
      echo "$1 ended before it listened:" >&2
      tail -20 "$folder/$1.log" >&2
      exit 1
    fi
    pause 0.005
  done
  exec {connection}>&-
  step "$1 listens"
}

export DAEMON_DATA=$folder/data DAEMON_STATE=$folder/state
node src/setup.ts >"$folder/setup.log" || { cat "$folder/setup.log" >&2; exit 1; }
step 'setup is done'

# Real providers cost money: a local program replaces them.
launch provider-a "$base_port" scripts/stand-in-provider.ts
launch provider-b "$((base_port + 1))" scripts/stand-in-provider.ts
await_port provider-a "$base_port"
await_port provider-b "$((base_port + 1))"

export PROVIDERS=provider-a,provider-b HOOKS_PORT=$((base_port + 3))
export PROVIDER_A_URL=http://127.0.0.1:$base_port/v1 PROVIDER_A_KEY=none PROVIDER_A_STREAM=true
export PROVIDER_B_URL=http://127.0.0.1:$((base_port + 1))/v1 PROVIDER_B_KEY=none
launch daemon "$((base_port + 2))" src/daemon.ts
await_port daemon "$((base_port + 2))"
echo "READY $(elapsed_ms)"

if [ $# -gt 0 ]; then
  DAEMON_URL=tcp://127.0.0.1:$((base_port + 2)) LOGS=$folder "$@"
fi
