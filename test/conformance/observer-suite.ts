/** What every observer must do, whatever it observes. */
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { checkKind } from '../../src/kinds/check-kinds.ts';
import type { Spec } from '../../src/kinds/kind/step-kind.ts';
import { ObservationError, type Observer, type Watch } from '../../src/observers/observer.ts';
import { matchPattern } from '../../src/patterns/match-pattern.ts';
import { loadObserver } from '../../src/trials/kinds/check-table.ts';
import { until } from '../harness/until.ts';
import { givenUp, type ObserverSetup } from './observer-setup.ts';

/** One observer with something to look at. */
export interface ObserverVariant {
  readonly name: string;
  /** An environment in which nothing has happened yet. */
  setup(): Promise<ObserverSetup>;
  /** A query for something that exists. */
  readonly query: unknown;
  /** Something happens that the query sees. */
  happen(setup: ObserverSetup): Promise<void> | void;
  /** What is seen then; it must not match what was seen before. */
  readonly seen: unknown;
  /** The same thing under another condition. */
  readonly otherCondition?: unknown;
  /** What cannot be observed, and the message about it. */
  readonly away: readonly (readonly [query: unknown, retry: 'later' | 'never', says: RegExp])[];
  /** More happens than an observer can show. */
  flood?(setup: ObserverSetup): Promise<void> | void;
  /** What the system would notice of a look: dates, contents, numbers of processes. */
  traces(setup: ObserverSetup): Promise<unknown> | unknown;
  /** What may differ between two looks at one state. */
  steady?(value: unknown): unknown;
  /** What is held open of things outside this process. */
  held?(setup: ObserverSetup): Promise<number>;
}

export function observerSuite(variant: ObserverVariant): void {
  describe(`observer ${variant.name}`, () => {
    const stages: ObserverSetup[] = [];
    const watches: Watch<unknown>[] = [];
    const newStage = async (): Promise<ObserverSetup> => {
      const setup = await variant.setup();
      stages.push(setup);
      return setup;
    };
    const load = async (): Promise<Observer<unknown>> => {
      return loadObserver(variant.name);
    };
    const open = async (setup: ObserverSetup): Promise<Watch<unknown>> => {
      const watch = await (await load()).open(setup.context);
      watches.push(watch);
      return watch;
    };
    afterEach(async () => {
      await Promise.all(watches.splice(0).map((watch) => watch.close()));
      for (const setup of stages.splice(0)) setup.clear();
    });

    test('has the name of its check, and a source that is the same under every condition', async () => {
      const observer = await load();
      expect(observer.name).toBe(variant.name);
      const source = (query: unknown): string | undefined => checkKind(variant.name)?.source(query as Spec);
      expect(source(variant.query)).toMatch(new RegExp(`^${variant.name}\\b`));
      if (variant.otherCondition !== undefined)
        expect(source(variant.otherCondition)).toBe(source(variant.query));
    });

    test('sees what happens, and nothing of it before', async () => {
      const setup = await newStage();
      const watch = await open(setup);
      expect(matchPattern(variant.seen, await watch.look(variant.query)).matched).toBe(false);
      await variant.happen(setup);
      const { mismatches } = matchPattern(variant.seen, await watch.look(variant.query));
      expect(mismatches).toEqual([]);
    });

    test('returns plain JSON, the same at each look, and leaves no trace', async () => {
      const setup = await newStage();
      const watch = await open(setup);
      await variant.happen(setup);
      const before = await variant.traces(setup);
      const first = await watch.look(variant.query);
      const second = await watch.look(variant.query);
      const steady = variant.steady ?? ((value: unknown) => value);
      expect(steady(second)).toStrictEqual(steady(first));
      expect(JSON.parse(JSON.stringify(first))).toStrictEqual(first);
      expect(await variant.traces(setup)).toStrictEqual(before);
    });

    test('two looks at once see the same', async () => {
      const setup = await newStage();
      const watch = await open(setup);
      await variant.happen(setup);
      const steady = variant.steady ?? ((value: unknown) => value);
      const [first, second] = await Promise.all([watch.look(variant.query), watch.look(variant.query)]);
      expect(steady(second)).toStrictEqual(steady(first));
    });

    test('says what cannot be seen, and whether waiting helps', async () => {
      const watch = await open(await newStage());
      for (const [query, retry, says] of variant.away) {
        const failure = await failureOf(watch.look(query));
        expect(failure).toBeInstanceOf(ObservationError);
        expect([(failure as ObservationError).retryable, (failure as ObservationError).message]).toEqual([
          retry === 'later',
          expect.stringMatching(says),
        ]);
      }
    });

    test('a look ends when the attempt is given up', async () => {
      const setup = await newStage();
      const watch = await open(setup);
      await variant.happen(setup);
      const looking = failureOf(watch.look(variant.query));
      setup.abort();
      expect(await looking).toBe(givenUp);
      expect(await failureOf(watch.look(variant.query))).toBe(givenUp);
    });

    test('closing releases everything, and may be done twice', async () => {
      const setup = await newStage();
      await (await open(setup)).close();
      const before = openThings();
      for (let round = 0; round < 3; round += 1) {
        const watch = await open(setup);
        await watch.look(variant.query);
        await watch.close();
        await watch.close();
      }
      await until('closed', 5_000, openThings, (now) => now.length <= before.length);
      if (variant.held)
        await until(
          'released',
          5_000,
          () => variant.held?.(setup),
          (left) => left === 0,
        );
    });

    if (variant.flood)
      test('refuses to return a part as the whole', async () => {
        const setup = await newStage();
        const watch = await open(setup);
        await variant.flood?.(setup);
        const failure = await failureOf(watch.look(variant.query));
        expect(failure).toMatchObject({ retryable: false, message: expect.stringMatching(/more than/) });
      });
  });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => `no failure, but ${JSON.stringify(value)}`,
    (error: unknown) => error,
  );
}

/** Files, sockets and processes that this process holds open. */
function openThings(): readonly string[] {
  const resources = process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|Process|FSEvent/.test(name));
  const descriptors = process.platform === 'linux' ? readdirSync('/proc/self/fd') : [];
  return [...resources, ...descriptors];
}
