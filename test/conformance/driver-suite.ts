/** What every driver must do, however the other side behaves. */
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Act } from '../../src/drivers/driver.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../harness/temporary-folder.ts';
import { until } from '../harness/until.ts';
import { eventually, manyTurns } from '../taps/eventually.ts';
import { type ContextOptions, driverContext, type TestContext } from './driver-context.ts';
import { type DriverSubject, type Ground, type Situation, type Stage, situations } from './driver-subject.ts';

/** Situations in which the act ends by its deadline, which is then a short one. */
const endsByDeadline: readonly Situation[] = ['hangs', 'late'];

export function driverConformance(subject: DriverSubject): void {
  describe(`driver ${subject.name}`, () => {
    let folder: TemporaryFolder;
    let work: (() => Promise<void> | void)[];
    let ground: Ground;

    const contextFor = (wish: Partial<ContextOptions> = {}): TestContext => {
      const scratch = path.join(folder.path, 'scratch');
      mkdirSync(scratch, { recursive: true });
      return driverContext({ folder: folder.path, scratch, ...wish });
    };
    const nothingLeft = async (setup: Stage, context: TestContext, handles: HandleCounts): Promise<void> => {
      const left = (): readonly string[] => [
        ...setup.left(),
        ...context.leftProcesses(),
        ...readdirSync(context.scratch),
        ...Object.keys(countHandles()).filter((name) => (countHandles()[name] ?? 0) > (handles[name] ?? 0)),
      ];
      await until('nothing of the act is left', 20_000, left, (seen) => seen.length === 0);
    };

    beforeEach(() => {
      folder = makeTemporaryFolder('driver');
      work = [];
      ground = { folder: folder.path, afterwards: (task) => work.push(task) };
    });
    afterEach(async () => {
      for (const task of work.reverse()) await task();
      folder.remove();
    });

    describe.each([...situations])('the other side: %s', (situation) => {
      test('the act ends, reports its outcome, and leaves nothing', async () => {
        const setup = await subject.situations[situation](ground);
        const handles = countHandles();
        const context = contextFor(endsByDeadline.includes(situation) ? { timeoutMs: 300 } : {});
        const { act, close } = setup.start(context);
        await watch(act);
        expect(act.evidence().error?.kind).toBe(setup.error);
        if (setup.error) expect(act.evidence().error?.message).toMatch(/\w+ \w+/);
        expect(act.evidence()).toMatchObject(setup.evidence ?? {});
        await agreesWithPeer(act, setup);
        await close();
        await context.end();
        await nothingLeft(setup, context, handles);
      });

      test('given up, it ends at once and leaves nothing', async () => {
        const setup = await subject.situations[situation](ground);
        const handles = countHandles();
        const context = contextFor({ timeoutMs: 600_000 });
        const { act } = setup.start(context);
        let isDone = false;
        void act.done.then(() => {
          isDone = true;
        });
        await eventually(() => isDone || setup.heardBytes() > 0, 'it has begun');
        context.giveUp();
        await watch(act);
        if (endsByDeadline.includes(situation)) expect(act.evidence().error?.message).toMatch(/given up/);
        await nothingLeft(setup, context, handles);
      });

      test('given up before it begins, it sends nothing', async () => {
        const setup = await subject.situations[situation](ground);
        const handles = countHandles();
        const context = contextFor();
        context.giveUp();
        const { act, close } = setup.start(context);
        await watch(act);
        await close();
        expect(act.evidence().error?.kind).toBe('not-started');
        expect([act.sentBytes(), setup.heardBytes()]).toEqual([0, 0]);
        await nothingLeft(setup, context, handles);
      });
    });

    test('an answer after the deadline changes nothing, unless a connection stays', async () => {
      const setup = await subject.situations.late(ground);
      const context = contextFor({ timeoutMs: 300 });
      const { act, close } = setup.start(context);
      await act.done;
      const before = JSON.stringify(act.evidence());
      expect(before).toMatch(/"timeout"/);
      await setup.release?.();
      if (setup.growsAfterDone)
        await eventually(() => JSON.stringify(act.evidence()) !== before, 'it arrived');
      else {
        await manyTurns();
        expect(JSON.stringify(act.evidence())).toBe(before);
      }
      await close();
      await context.end();
    });

    test('without shared state between steps, nothing outlives the act', async () => {
      const setup = await subject.situations.answers(ground);
      const handles = countHandles();
      const { resources: _, ...context } = contextFor();
      const { act, close } = setup.start(context);
      await watch(act);
      expect(act.evidence().error).toBeUndefined();
      await close();
      await nothingLeft(setup, context, handles);
    });

    test.each(Object.keys(subject.impossible))('a step that cannot begin: %s', async (name) => {
      const setup = await (subject.impossible[name] as DriverSubject['situations'][Situation])(ground);
      const handles = countHandles();
      const context = contextFor();
      const { act, close } = setup.start(context);
      await watch(act);
      expect(act.evidence()).toMatchObject({ error: { kind: 'not-started' }, ...setup.evidence });
      await close();
      await context.end();
      expect([act.sentBytes(), setup.heardBytes()]).toEqual([0, 0]);
      await nothingLeft(setup, context, handles);
    });
  });
}

/** Observes an act from its start to its end: its state is JSON all the time. */
async function watch(act: Act): Promise<void> {
  let isDone = false;
  const end = act.done.then(() => {
    isDone = true;
  });
  plainJson(act);
  while (!isDone) {
    await Promise.race([end, pause(10)]);
    plainJson(act);
  }
}

function plainJson(act: Act): void {
  const evidence = act.evidence();
  expect(JSON.parse(JSON.stringify(evidence))).toStrictEqual(evidence);
}

async function agreesWithPeer(act: Act, setup: Stage): Promise<void> {
  if (act.sentBytes() > 0) await eventually(() => setup.heardBytes() > 0, 'what was sent has arrived');
  else expect(setup.heardBytes()).toBe(0);
}

type HandleCounts = Readonly<Record<string, number>>;

/** Of what keeps a process alive: sockets, children, pipes to them. */
function countHandles(): HandleCounts {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) {
    if (/^(?:TCPSocketWrap|UDPWrap|ProcessWrap|TLSWrap)$/.test(name)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
