/** The command driver with real programs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestContext } from '../../../test/conformance/driver-context.ts';
import { driverGround } from '../../../test/conformance/driver-ground.ts';
import { until } from '../../../test/harness/until.ts';
import type { Act, ActEvidence, DriverContext } from '../driver.ts';
import { commandDriver } from './command-driver.ts';
import type { CommandOnStep, CommandStep } from './command-step.ts';

const sh = (script: string, ...words: string[]): readonly string[] => ['sh', '-c', script, 'sh', ...words];

async function run(step: CommandStep, changes: Partial<DriverContext> = {}): Promise<ActEvidence> {
  const ground = driverGround();
  const act = commandDriver.start(step, { ...ground.context(0), ...changes });
  await act.done;
  return act.evidence();
}

function seen(act: Act, holds: (evidence: ActEvidence) => boolean): Promise<ActEvidence> {
  return until('the evidence', 20_000, () => act.evidence(), holds);
}

describe('to its end', () => {
  test('words, input, code, both outputs', async () => {
    const step = { argv: sh('cat; echo "$2" >&2; exit 7', 'a', 'b $HOME'), stdin: 'in\n' };
    expect(await run(step)).toMatchObject({ exitCode: 7, signal: null, stdout: 'in\n', stderr: 'b $HOME\n' });
    expect(commandDriver.describe({ argv: ['agent-cli', 'say', 'hello there'] })).toBe(
      'agent-cli say "hello there"',
    );
  });

  test('without input it reads an end', async () => {
    expect(await run({ argv: ['cat'] })).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('one JSON value is read; several are text', async () => {
    expect((await run({ argv: ['echo', ' {"a":1} '] })).json).toEqual({ a: 1 });
    expect(await run({ argv: ['printf', '{"a":1}\n{"a":2}\n'] })).not.toHaveProperty('json');
  });

  test('variables of the attempt and of the step, and no others', async () => {
    const { stdout } = await run(
      { argv: ['env'], env: { B: 'step', PATH: process.env.PATH ?? '' } },
      { env: { A: 'attempt', B: 'attempt' } },
    );
    const lines = (stdout as string).split('\n').filter((line) => /^[AB]=|^HOME=/.test(line));
    expect(lines.sort()).toEqual(['A=attempt', 'B=step']);
  });

  test('it runs in the folder of the trial, or below', async () => {
    const ground = driverGround();
    mkdirSync(path.join(ground.folder, 'below'));
    writeFileSync(path.join(ground.folder, 'below', 'tool'), '#!/bin/sh\npwd\n', { mode: 0o755 });
    const act = commandDriver.start({ argv: ['./tool'], cwd: 'below' }, ground.context(0));
    await act.done;
    expect(act.evidence().stdout).toBe(`${path.join(ground.folder, 'below')}\n`);
  });

  test('what it prints is seen while it runs', async () => {
    const ground = driverGround();
    const act = commandDriver.start(
      { argv: sh('echo begun; while [ ! -e go ]; do sleep 0.02; done') },
      ground.context(0),
    );
    expect(await seen(act, ({ stdout }) => stdout === 'begun\n')).toMatchObject({
      exitCode: null,
      signal: null,
    });
    writeFileSync(path.join(ground.folder, 'go'), '');
    await act.done;
    expect(act.evidence()).toMatchObject({ exitCode: 0 });
  });

  test('a signal that ended it', async () => {
    expect(await run({ argv: sh('kill -TERM $$') })).toMatchObject({ exitCode: null, signal: 'SIGTERM' });
  });

  test('more output than is kept', async () => {
    const evidence = await run(
      { argv: sh(`head -c 30000000 /dev/zero | tr '\\0' x; echo done >&2`) },
      { bodyBytes: 1_000 },
    );
    expect(evidence).toMatchObject({
      stdout: 'x'.repeat(1_000),
      stderr: 'done\n',
      truncated: true,
      stdoutBytes: 30_000_000,
      stderrBytes: 5,
    });
  });

  test('a character that the limit cuts is left out', async () => {
    expect((await run({ argv: ['printf', 'aà'] }, { bodyBytes: 2 })).stdout).toBe('a');
  });

  test('processes that it leaves in the background end with it', async () => {
    const ground = driverGround();
    const context = ground.context(0);
    const act = commandDriver.start({ argv: sh('sleep 1000 & echo $! > pid') }, context);
    await act.done;
    expect(act.evidence()).toMatchObject({ exitCode: 0 });
    const pid = Number(readFileSync(path.join(ground.folder, 'pid'), 'utf8'));
    await until(
      'it is gone',
      20_000,
      () => isAlive(pid),
      (alive) => !alive,
    );
    expect(readdirSync(context.scratch)).toEqual([]);
  });

  test('input that is never read does no harm', async () => {
    const evidence = await run({ argv: ['true'], stdin: 'x'.repeat(5_000_000) });
    expect(evidence).toMatchObject({ exitCode: 0 });
    expect(evidence).not.toHaveProperty('error');
  });

  test('a program that is not there', async () => {
    const { error } = await run({ argv: ['no-such-program'] }, { env: { PATH: '/usr/nowhere' } });
    expect(error).toEqual({
      kind: 'not-started',
      message: 'the program `no-such-program` was not found on PATH: /usr/nowhere',
    });
  });
});

describe('the register', () => {
  test('is notified of the start and of the end', async () => {
    const ground = driverGround();
    const heard: string[] = [];
    const started = async (pid: number, argv: readonly string[]): Promise<() => Promise<void>> => {
      heard.push(`${argv.join(' ')} ${pid > 0}`);
      return async () => {
        heard.push('ended');
      };
    };
    const act = commandDriver.start({ argv: ['echo', 'hi'] }, { ...ground.context(0), started });
    await act.done;
    expect(heard).toEqual(['echo hi true', 'ended']);
  });

  test('a process that it does not take is ended', async () => {
    const ground = driverGround();
    const context = {
      ...ground.context(0),
      started: async () => Promise.reject(new Error('the ledger is full')),
    };
    const act = commandDriver.start({ argv: ['sleep', '1000'] }, context);
    await act.done;
    expect(act.evidence()).toMatchObject({
      signal: 'SIGKILL',
      error: { kind: 'not-started', message: expect.stringMatching(/the ledger is full/) },
    });
  });
});

interface Staying {
  readonly context: TestContext;
  readonly open: Act;
  on(step: CommandOnStep, timeoutMs?: number): Act;
}

async function staying(argv: readonly string[]): Promise<Staying> {
  const ground = driverGround();
  const context = ground.context(0);
  const open = commandDriver.start({ argv, stays: true }, context);
  ground.afterwards(() => open.connection?.close());
  await open.done;
  return {
    context,
    open,
    on: (step, timeoutMs = 20_000) => {
      const act = open.connection?.start(step, { ...context, timeoutMs });
      if (!act) throw new Error('there is no connection');
      return act;
    },
  };
}

describe('that stays', () => {
  const echoing = sh('echo ready; while read line; do echo "you said $line"; done; echo over >&2; exit 4');

  test('each step has what was printed from its beginning to the next one', async () => {
    const { open, on } = await staying(echoing);
    await seen(open, ({ stdout }) => stdout === 'ready\n');
    const first = on({ send: 'one\n' });
    await seen(first, ({ stdout }) => stdout === 'you said one\n');
    const second = on({ send: 'two\n' });
    await seen(second, ({ stdout }) => stdout === 'you said two\n');
    expect([open.evidence().stdout, first.evidence().stdout]).toEqual(['ready\n', 'you said one\n']);
    expect([first.sentBytes(), second.sentBytes()]).toEqual([4, 4]);
    const last = on({ end: 'half', awaitExit: true });
    await last.done;
    expect(last.evidence()).toMatchObject({ exitCode: 4, stderr: 'over\n', stdout: '' });
    const late = on({ send: 'three\n' });
    await late.done;
    expect(late.evidence().error).toEqual({
      kind: 'closed',
      message: 'the program has ended already, with code 4',
    });
    expect(late.sentBytes()).toBe(0);
  });

  test('signals', async () => {
    const { open, on } = await staying(
      sh(`trap 'echo got it; exit 9' INT; echo ready; while :; do sleep 0.02; done`),
    );
    await seen(open, ({ stdout }) => stdout === 'ready\n');
    const act = on({ signal: 'SIGINT', awaitExit: true });
    await act.done;
    expect(act.evidence()).toMatchObject({ exitCode: 9, stdout: 'got it\n' });
  });

  test('one that does not end in time is a time-out, and goes on', async () => {
    const { on } = await staying(echoing);
    const act = on({ awaitExit: true }, 200);
    await act.done;
    expect(act.evidence()).toMatchObject({ exitCode: null, error: { kind: 'timeout' } });
    const next = on({ send: 'still there\n' });
    await seen(next, ({ stdout }) => /still there/.test(stdout as string));
  });

  test('closed: asked first, then ended; the evidence stays, the files go', async () => {
    const polite = await staying(
      sh(`trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.02; done`),
    );
    const stubborn = await staying(sh(`trap '' TERM; echo ready; while :; do sleep 0.02; done`));
    for (const { open } of [polite, stubborn]) await seen(open, ({ stdout }) => stdout === 'ready\n');
    for (const { open, context } of [polite, stubborn]) {
      await open.connection?.close();
      expect(readdirSync(context.scratch)).toEqual([]);
      await until(
        'no process',
        20_000,
        () => context.leftProcesses(),
        (left) => left.length === 0,
      );
    }
    expect(polite.open.evidence()).toMatchObject({ exitCode: 0, stdout: 'ready\nbye\n' });
    expect(stubborn.open.evidence()).toMatchObject({ signal: 'SIGKILL', stdout: 'ready\n' });
  });

  test('given up, it is ended', async () => {
    const { open, context } = await staying(sh(`trap '' TERM; echo ready; while :; do sleep 0.02; done`));
    await seen(open, ({ stdout }) => stdout === 'ready\n');
    context.giveUp();
    await until(
      'no process',
      20_000,
      () => context.leftProcesses(),
      (left) => left.length === 0,
    );
    await until(
      'no file',
      20_000,
      () => readdirSync(context.scratch),
      (left) => left.length === 0,
    );
    expect(open.evidence()).toMatchObject({ signal: 'SIGKILL', stdout: 'ready\n' });
  });

  test('one that could not be started', async () => {
    const { open, on } = await staying(['no-such-program']);
    expect(open.evidence().error?.kind).toBe('not-started');
    const act = on({ send: 'x' });
    await act.done;
    expect(act.evidence().error?.kind).toBe('not-started');
  });
});

function isAlive(pid: number): boolean {
  if (existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
