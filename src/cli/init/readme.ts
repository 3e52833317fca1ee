/** The README that `init` writes. */
export const readme = `# Hello

A small system to begin with: a \`greeter\` that calls a \`ledger\`, and a job that runs before the doors open.

    shakedown run                     boot everything, perform the trials, judge them, take everything down
    shakedown up -- node check.mjs    the same with a test program of your own instead of trials
    shakedown up                      boot everything and hold it open; Ctrl-C takes it down
    shakedown doctor                  what this machine can do, and what is missing

While it is up, in another terminal: \`shakedown status\` shows the addresses, \`shakedown logs -f\` the output.

Now see it fail. Break something (misspell \`guests.length\` in \`greeter.mjs\`, or \`/health\` in \`shakedown.yaml\`),
run it again, and read what it says.

Then make it yours:

1. Put your own programs under \`services:\` in \`shakedown.yaml\`. Give each its port, and the addresses of the others,
   in the way that it understands: a variable, an argument, or a config file made from a template.
2. Migrations and first data go under \`jobs:\`, a database under \`resources:\`.
3. Say in \`trials/*.trial.yaml\` what must be true of it. \`shakedown run --watch\` performs them whenever you save.
4. The tests that you have already: put their command after \`up --\`.

\`.shakedown/\` holds the evidence of each run. It may be deleted whenever nothing is up, and git ignores it.
\`npm install --save-dev shakedown\` pins the version, and lets your editor complete \`shakedown.yaml\`; the command is \`npx shakedown\` then.
`;
