/** The guard: a small shell that outlives the keeper and sweeps up when the keeper did not. */
import { limits } from '../../kernel/limits.ts';
import { noDebugger } from '../../kernel/own-files.ts';

/**
 * Arguments: node, entry of the keeper, entry of the sweep, run folder, workspace, then the command that makes a
 * namespace. Descriptors: 3 is the lifeline of the launcher; 4 reports the death of the guard to the keeper; 5 is the
 * outer /proc, for process numbers that are valid outside; 6 is the guard's own lifeline, 7 and 8 are the two ends of
 * an unlinked file into which a keeper whose launcher is gone writes heartbeats. The first line of the lifeline is a
 * key for the sweep, which is in no variable that other processes can read.
 *
 * The watcher sleeps until the launcher is gone without having sent `detach`. From then on it counts the checks, one
 * per second, that found no heartbeat: a machine that slept, or is busy, slows the counting as much as the keeper. A
 * keeper that writes none for too long is stopped or hangs, and is killed. The watcher never ends before the guard
 * does: the guard kills it by its pid, which another process could have by then. A shell that cannot fork for a command
 * ends at once: then the keeper is killed.
 */
export const guardScript = `
trap '' HUP INT TERM
node=$1 keeper=$2 sweep=$3 run=$4 workspace=$5
shift 5
read -r key <&3
mkfifo -m 600 "$run/guard.fifo" || exit 75
exec 9<>"$run/guard.fifo" 4<"$run/guard.fifo"
rm -f "$run/guard.fifo"
exec 7>"$run/guard.beats" 8<"$run/guard.beats"
rm -f "$run/guard.beats"
if test -d /proc/self; then exec 5</proc; fi
SHAKEDOWN_GUARD=$$ "$@" "$node" ${noDebugger} "$keeper" "$run" 6<&- 8<&- 9>&- &
kept=$!
trap 'kill -KILL "$kept"' EXIT
{
  while read -r word; do test "$word" != detach || { read -r word <&4; exit 0; }; done
  trap 'kill -KILL "$kept"; read -r word <&4' EXIT
  missed=0
  while kill -0 "$kept" 2>/dev/null; do
    sleep 1
    if read -r beat <&8; then missed=0; else missed=$((missed + 1)); fi
    test "$missed" -lt ${limits.missedBeats} || { kill -KILL "$kept"; break; }
  done
  trap - EXIT
  read -r word <&4
} <&6 3<&- 5<&- 7>&- 9>&- &
watcher=$!
wait "$kept"
trap - EXIT
kill -KILL "$watcher" 2>/dev/null
exec 3<&- 4<&- 5<&- 6<&- 7>&- 8<&- 9>&-
test -e "$workspace" || exit 0
exec "$node" ${noDebugger} "$sweep" "$run" "$workspace" <<END
$key
END
`;

/**
 * First process of the namespace. Arguments: entry of the sweep, run folder, workspace, then the keeper's command line.
 * Runs the keeper, reaps orphans, and when the keeper is gone kills all that is left and sweeps. Its pid
 * 1 proves that it is in its own namespace: `kill -1` reaches this namespace and nothing else.
 */
export const initScript = `
trap '' HUP INT TERM
sweep=$1 run=$2 workspace=$3
shift 3
read -r key <&3
"$@"
test "$$" = 1 || exit 76
kill -KILL -1 2>/dev/null
test -e "$workspace" || exit 0
exec "$1" ${noDebugger} "$sweep" "$run" "$workspace" <<END
$key
END
`;
