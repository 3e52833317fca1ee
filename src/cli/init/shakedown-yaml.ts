/** The config that `init` writes. */
export const shakedownYaml = `# yaml-language-server: $schema=node_modules/shakedown/schema/system.schema.json
# What the system is made of. Every word in \${…} is filled in when a program starts.
name: hello

services:
  # A program of yours, in any language: here it is Node, because it is on this machine already.
  ledger:
    run: [node, ledger.mjs]
    listen: { env: PORT } # we choose a free port and tell it in PORT
    env:
      LEDGER_FILE: \${self.dir}/guests.txt # a folder of its own, gone when the system goes down
    ready: { http: /health } # it counts as ready when this path answers 200 to 299

  greeter:
    run: [node, greeter.mjs]
    listen: { env: PORT }
    env:
      LEDGER_URL: \${ledger.url} # this makes an edge, greeter -> ledger, which Shakedown watches
    after: [first-guest] # waits for the job below
    ready: { http: /health, within: 10s }

jobs:
  # Runs once and must end with 0: a migration, or data that has to be there at the start.
  first-guest:
    run: [node, first-guest.mjs]
    env:
      LEDGER_URL: \${ledger.url}
    after: [ledger]

# A real PostgreSQL of the system's own, with nothing to install: take the # off the next three lines,
# and give its address to a program: env: { DATABASE_URL: "\${db.url}" }
# resources:
#   db:
#     kind: postgres
`;
