import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeObserverSetup, type ObserverSetup } from '../../../test/conformance/observer-setup.ts';
import { findOnPath } from '../../../test/harness/needs.ts';
import { until } from '../../../test/harness/until.ts';
import type { ProcessFacts } from '../../kinds/process/check.ts';
import { procFamilies } from './proc-families.ts';
import { descendants, type ProcessFamilies } from './process-family.ts';
import { createProcessObserver } from './process-observer.ts';
import { psFamilies } from './ps-families.ts';

/** Follows commands on its standard input. */
const program = `
  const { spawn } = require('node:child_process');
  const { openSync } = require('node:fs');
  const kept = [];
  const deeds = {
    grow: () => kept.push(Buffer.alloc(40 * 1024 * 1024, 1)),
    open: () => { for (let n = 0; n < 5; n += 1) openSync('/dev/null', 'r'); },
    // A child that ends with its parent.
    bear: () => spawn(process.execPath, ['-e', 'process.stdin.resume()', 'a child'], { stdio: ['pipe', 'ignore', 'ignore'] }),
  };
  process.stdin.on('data', (word) => { deeds[String(word).trim()](); process.stdout.write('done'); });
  process.stdin.on('end', () => process.exit());
`;

const families: Readonly<Record<string, () => ProcessFamilies>> = {
  ...(process.platform === 'linux' ? { proc: () => procFamilies() } : {}),
  ...(findOnPath('ps').length > 0 ? { ps: psFamilies } : {}),
};

describe.each(Object.entries(families))('asked by %s', (name, ask) => {
  let setup: ObserverSetup;
  let child: ChildProcess;
  beforeEach(() => {
    setup = makeObserverSetup();
    child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });
    setup.service('health').pid = child.pid ?? null;
  });
  afterEach(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    setup.clear();
  });
  const report = async (word: string): Promise<void> => {
    child.stdin?.write(word);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
  };

  test('memory, descriptors, children and restarts', async () => {
    await report('open');
    const watch = await createProcessObserver(ask()).open(setup.context);
    const look = () => watch.look({ service: 'health' }) as Promise<ProcessFacts>;
    expect(await look()).toMatchObject({ running: true, pid: child.pid, restarts: 0, children: [] });
    await report('grow');
    await report('open');
    const grown = await look();
    expect(grown.rssGrowth).toBeGreaterThan(30 * 1024 * 1024);
    expect(grown.fdGrowth).toBe(name === 'proc' ? 5 : null);
    await report('bear');
    const born = await until('a child', 10_000, look, ({ children }) => children?.length === 1);
    expect(born.children?.[0]?.argv.join(' ')).toContain('a child');
    expect(born.rss).toBeGreaterThan(grown.rss ?? Number.POSITIVE_INFINITY);
    setup.service('health').starts += 1;
    expect((await look()).restarts).toBe(1);
    await watch.close();
  });

  test('what does not run has nothing to show', async () => {
    const watch = await createProcessObserver(ask()).open(setup.context);
    const nothing = {
      running: false,
      pid: null,
      restarts: null,
      rss: null,
      rssGrowth: null,
      fds: null,
      fdGrowth: null,
      children: null,
      childrenGone: null,
    };
    expect(await watch.look({ service: 'general' })).toEqual(nothing);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The keeper has not noticed yet.
    expect(await watch.look({ service: 'health' })).toEqual(nothing);
    setup.service('health').pid = null;
    expect(await watch.look({ service: 'health' })).toEqual(nothing);
    await watch.close();
  });

  test('growth is not known of what did not run at the beginning', async () => {
    const pid = setup.service('health').pid;
    setup.service('health').pid = null;
    const watch = await createProcessObserver(ask()).open(setup.context);
    setup.service('health').pid = pid;
    expect(await watch.look({ service: 'health' })).toMatchObject({
      running: true,
      rssGrowth: null,
      fdGrowth: null,
      childrenGone: null,
    });
    await watch.close();
  });

  test('a child that was replaced has another number, and the one that is gone counts', async () => {
    await report('bear');
    const open = () => createProcessObserver(ask()).open(setup.context);
    const first = (await (await open()).look({ service: 'health' })) as ProcessFacts;
    expect(first).toMatchObject({ childrenGone: 0, children: [{ pid: expect.any(Number) }] });
    const watch = await open();
    const look = () => watch.look({ service: 'health' }) as Promise<ProcessFacts>;
    process.kill(first.children?.[0]?.pid ?? 0, 'SIGKILL');
    await report('bear');
    const replaced = await until('one gone, one there', 10_000, look, (now) => now.children?.length === 1);
    expect(replaced).toMatchObject({ restarts: 0, childrenGone: 1 });
    expect(replaced.children?.[0]?.pid).not.toBe(first.children?.[0]?.pid);
    await watch.close();
  });
});

test('descendants are found however deep, and a circle ends', () => {
  const parents = new Map([
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 9],
    [9, 5],
    [1, 3],
  ]);
  expect(descendants(parents, 2)).toEqual([1, 3, 4]);
  expect(descendants(parents, 5)).toEqual([9]);
  expect(descendants(parents, 7)).toEqual([]);
});
