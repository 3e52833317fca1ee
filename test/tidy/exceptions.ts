/** Where a rule does not hold, and why. An exception that is no longer needed fails the test. */

export interface TidyException {
  readonly file: string;
  /** The name of the rule. */
  readonly rule: string;
  readonly because: string;
}

export const exceptions: readonly TidyException[] = [
  {
    file: 'src/environment/keeper/outbox.ts',
    rule: 'writeFile',
    because: 'answers and events for one client, in a file without a name',
  },
  { file: 'src/environment/keeper/lifeline.ts', rule: 'writeFile', because: 'a sign of life' },
  {
    file: 'src/environment/keeper/keeper-socket.ts',
    rule: 'writeFile',
    because: 'the token of the socket, for its owner alone',
  },
  {
    file: 'src/environment/redact-logs.ts',
    rule: 'writeFile',
    because: 'a sentence in place of a log that had to go',
  },
  {
    file: 'src/kernel/folders/entries-below.ts',
    rule: 'writeFile',
    because: 'a way to write, which the rule knows by its name',
  },
  {
    file: 'src/agents/tools/write-trial.ts',
    rule: 'writeFile',
    because: 'a trial as its author gave it, who sees no secret here',
  },
  { file: 'src/environment/environment.ts', rule: 'writeFile', because: 'an empty log for each node' },
  {
    file: 'src/environment/wiring/shims.ts',
    rule: 'writeFile',
    because: 'programs of ours in the workspace, with addresses only',
  },
  {
    file: 'src/environment/wiring/render-files.ts',
    rule: 'writeFile',
    because: 'config files for a service, which hold what the user put there, in the workspace',
  },
  {
    file: 'src/environment/containers/append-last-words.ts',
    rule: 'writeFile',
    because: 'the log of a service, which is redacted afterwards as a whole',
  },
  {
    file: 'src/environment/containers/prepare-container.ts',
    rule: 'writeFile',
    because: 'files for a container, which hold what the user put there, in the workspace',
  },
  {
    file: 'src/environment/containers/volumes/volumes.ts',
    rule: 'writeFile',
    because: 'what jobs left in a volume, in the workspace',
  },
  { file: 'src/environment/processes/open-log.ts', rule: 'writeFile', because: 'a line end' },
  { file: 'src/environment/credential-marks.ts', rule: 'writeFile', because: 'a key of its own' },
  { file: 'src/environment/up-lock.ts', rule: 'writeFile', because: 'ids of runs and processes' },
  { file: 'src/environment/run-folder.ts', rule: 'writeFile', because: 'an ignore file' },
  {
    file: 'src/environment/containment/sweep.ts',
    rule: 'writeFile',
    because: 'what is left, and why a log was removed',
  },
  { file: 'src/environment/containment/sealed-variables.ts', rule: 'writeFile', because: 'it is sealed' },
  {
    file: 'src/environment/containment/ledger.ts',
    rule: 'writeFile',
    because: 'numbers of processes and names of databases, in the workspace',
  },
  {
    file: 'src/trials/flow/flow-log.ts',
    rule: 'writeFile',
    because: 'each line is redacted before it is written',
  },
  {
    file: 'src/resources/redis/own/run-server.ts',
    rule: 'writeFile',
    because: 'the configuration of a server, with the settings that the user wrote, in the workspace',
  },
  {
    file: 'src/resources/postgres/embedded/make-template.ts',
    rule: 'writeFile',
    because: 'a drawn password, in the workspace',
  },
  {
    file: 'src/resources/postgres/embedded/data-cache.ts',
    rule: 'writeFile',
    because: 'sizes and a drawn password',
  },
  {
    file: 'src/campaigns/observe/run-foreign-command.ts',
    rule: 'writeFile',
    because: 'the output of a command, redacted when it has ended',
  },
  { file: 'src/kernel/clock.ts', rule: 'Date.now', because: 'it is the clock' },
  {
    file: 'src/trials/flow/inside/flow-process.ts',
    rule: 'Date.now',
    because: 'the clock that the code of a flow reads is moved in a replay',
  },
  { file: 'src/kernel/clock.ts', rule: 'setTimeout', because: 'it is the clock' },
  { file: 'src/kernel/clock.ts', rule: 'timers', because: 'it is the clock' },
  {
    file: 'src/kernel/unique-id.ts',
    rule: 'Math.random',
    because: 'ids that no two runs share cannot come from a seed',
  },
  {
    file: 'src/plugins/define-plugin.ts',
    rule: 'process.stdout',
    because: 'in the process of a plugin, standard output is the line to Shakedown',
  },
  {
    file: 'src/cli/run/foreign-options.ts',
    rule: 'process.stdout',
    because: 'what somebody’s own command prints is handed on as it is',
  },
];
