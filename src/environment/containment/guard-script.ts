/** The guard: a small shell that outlives the keeper and sweeps up when the keeper did not. */

/**
 * Arguments: node, entry of the keeper, entry of the sweep, run folder, workspace, then the words that make a namespace.
 * Descriptors: 3 is the lifeline of whoever launched us; 4 is how the keeper learns that the guard has died;
 * 5 is the outer /proc, for process numbers that mean something outside. The first line of the lifeline is a key for the sweep,
 * which stands in no variable that others can read.
 */
export const guardScript = `
trap '' HUP INT TERM
node=$1 keeper=$2 sweep=$3 run=$4 workspace=$5
shift 5
read -r key <&3
mkfifo -m 600 "$run/guard.fifo" || exit 75
exec 9<>"$run/guard.fifo" 4<"$run/guard.fifo"
rm -f "$run/guard.fifo"
if test -d /proc/self; then exec 5</proc; fi
SHAKEDOWN_GUARD=$$ "$@" "$node" "$keeper" "$run" 9>&-
exec 3<&- 4<&- 9>&- 5<&-
test -e "$workspace" || exit 0
exec "$node" "$sweep" "$run" <<END
$key
END
`;

/**
 * First process of the namespace. Arguments: entry of the sweep, run folder, workspace, then the keeper's command line.
 * Runs the keeper, takes the exit codes of orphans, and when the keeper is gone ends all that is left and sweeps. The
 * number 1 is its proof of being alone: `kill -1` reaches this namespace and nothing else.
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
exec "$1" "$sweep" "$run" <<END
$key
END
`;
