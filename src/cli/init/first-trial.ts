/** The trial that `init` writes: it passes on the project as it is, and fails when the project is broken. */
export const firstTrial = `# yaml-language-server: $schema=../node_modules/shakedown/schema/trial.schema.json
# A trial says what is done to the system, and what must be true then. Perform it: shakedown run
id: first
title: A guest is greeted by name, and the ledger has them
tags: [smoke]

steps: # what is done, one after the other, from outside
  - http: GET greeter/hello/Ada # METHOD service/path
    as: greeting # the name of what came back
    expect: { status: 200 } # the attempt ends here when this does not hold

checks: # what must be true; each has a verdict of its own
  counted:
    exchange: greeting # what a step got
    expect: { text: { $regex: '^Hello Ada, you are guest number \\d+\\.$' } } # a value, or a pattern as here

  passed-on:
    calls: greeter -> ledger # what the services said to each other
    expect: [{ method: POST, path: /guests, status: 200 }] # exactly this one call

  written-down:
    files: ledger # what a service left in its folder
    path: guests.txt
    as: text
    expect: [{ text: { $contains: "Ada\\n" } }]
`;
