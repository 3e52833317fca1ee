/** A folder that services share: given to each, looked at, and as the jobs left it in every trial. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const service = (name: string): string => `  ${name}:
    run: [node, services/runs-commands.mjs]
    env: { INBOX: "\${inbox.path}" }
    listen: { env: PORT }
    ready: { tcp: true }
`;

const system = `volumes:
  inbox:
  spare: {}
jobs:
  seed: { run: [sh, -c, 'mkdir "$INBOX/old" && echo seed > "$INBOX/old/a.txt"'], env: { INBOX: "\${inbox.path}" } }
services:
${service('clerk')}${service('reader')}`;

const does = (who: string, script: string): string =>
  `- { http: POST ${who}/, json: [{ argv: [sh, -c, '${script}'] }], expect: { status: 200, text: { $contains: "code\\":0" } } }`;

const seed = '{ path: old/a.txt, text: "seed\\n" }';

test('what one service writes another reads, and the next trial has what the jobs left', async () => {
  const project = trialsProject(system, {
    mails: `steps:
  ${does('clerk', 'echo "{\\"to\\": \\"ada\\"}" >> $INBOX/mail.jsonl; rm -r $INBOX/old')}
  - until: { events: inbox, file: mail.jsonl, where: { to: ada }, count: 1 }
  ${does('reader', 'mv $INBOX/mail.jsonl $INBOX/read.jsonl')}
checks:
  read: { files: inbox, as: text, expect: [{ path: read.jsonl, text: { $contains: ada } }] }
  gone: { files: inbox, path: old/*, expect: [], provenBy: again }
  changed: { changes: [files], expect: { $unordered: [
    { kind: file, service: inbox, path: read.jsonl, op: created },
    { kind: file, service: inbox, path: old/a.txt, op: deleted } ] } }`,
    again: `steps:
  ${does('reader', 'grep seed $INBOX/old/a.txt && echo x > $INBOX/extra')}
checks:
  kept: { files: inbox, as: text, path: "old/*", expect: [${seed}] }
  extra: { files: inbox, path: extra, count: 1 }
  else: { changes: [files], only: [extra] }`,
    stray: `steps:
  ${does('clerk', 'echo x > $INBOX/lost')}
checks:
  nobody: { changes: [files], expect: [] }`,
    kept: `isolation: restart
steps:
  ${does('reader', 'ls $INBOX')}
checks:
  extra: { files: inbox, path: extra, count: 1 }`,
  });
  const { code, text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({
    again: 'passed',
    kept: 'passed',
    mails: 'passed',
    stray: 'failed',
  });
  expect(text).toMatch(/nobody.*path: "lost"/s);
  expect(code).toBe(1);
}, 120_000);

test('what a config or a trial cannot mean is refused before anything starts', async () => {
  const steps = 'steps: [{ http: GET clerk/ }]';
  const refused = async (config: string, trial = steps): Promise<string> => {
    const { code, output } = await trialsProject(config, { a: trial }).run(['run']);
    expect(code, output).toBe(2);
    return unfolded(output);
  };
  const by = (before: string, after: string): string => system.replace(before, after);
  expect(await refused(by('  spare: {}', '  clerk: {}'))).toMatch(
    /`clerk` is a service here and a volume at/,
  );
  expect(await refused(by('  spare: {}', '  spare: { size: 1 }'))).toMatch(/`size`/);
  expect(await refused(by('INBOX: "${inbox.path}"', 'INBOX: "${inbix.path}"'))).toMatch(
    /unknown name `inbix`.*did you mean `\${inbox.path}`/,
  );
  expect(await refused(by('INBOX: "${inbox.path}"', 'INBOX: "${inbox.url}"'))).toMatch(
    /`inbox` has no `url` allowed inbox.path/,
  );
  const box = (rest: string): string => `${system}  box: { image: "alpine:3", ${rest} }`;
  expect(await refused(box('mounts: [{ volume: inbx, to: /in }]'))).toMatch(
    /no volume is called `inbx` allowed inbox, spare next did you mean `inbox`/,
  );
  expect(await refused(box('env: { INBOX: "${inbox.path}" }'))).toMatch(
    /`inbox` is a folder of this machine, which a container does not see.*mounts: \[\{ volume: inbox, to: \/inbox }]/,
  );
  const check = (text: string): string => `${steps}\nchecks:\n  a: ${text}`;
  expect(await refused(system, check('{ files: inbix, count: 1 }'))).toMatch(/did you mean `inbox`/);
  expect(await refused(system, check('{ rows: inbox.orders, count: 1 }'))).toMatch(
    /there is no service `inbox`/,
  );
  const { text } = await performTrials(
    trialsProject(system, {
      home: check('{ files: inbox, path: "home:*", count: 1 }').replace(
        steps,
        `steps: [${does('clerk', 'true').slice(2)}]`,
      ),
    }),
  );
  expect(text).toContain('home: is a folder of a service, and inbox is a volume');
}, 120_000);
