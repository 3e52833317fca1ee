/** A small environment for observers: folders, logs and facts as a keeper would report them, and calls as taps would. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CallEvent } from '../../src/journal/call-event.ts';
import type { DatabaseFacts, ServiceFacts, StoreFacts } from '../../src/journal/environment-facts.ts';
import type { SpanEvidence } from '../../src/journal/peer-event.ts';
import { createRedactor } from '../../src/journal/redaction.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { ObserverContext } from '../../src/observers/observer.ts';
import { makeTemporaryFolder } from '../harness/temporary-folder.ts';

type Changeable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface ObserverSetup {
  readonly folder: string;
  readonly context: ObserverContext;
  readonly services: readonly Changeable<ServiceFacts>[];
  readonly databases: DatabaseFacts[];
  readonly stores: StoreFacts[];
  readonly calls: CallEvent[];
  readonly spans: SpanEvidence[];
  service(name: string): Changeable<ServiceFacts>;
  /** Writes below a service's `dir`. */
  write(service: string, file: string, content: string | Buffer): string;
  /** Gives up the attempt. */
  abort(): void;
  clear(): void;
}

export const givenUp = new Error('the attempt is given up');

export function makeObserverSetup(names: readonly string[] = ['health', 'general']): ObserverSetup {
  const folder = makeTemporaryFolder('observers');
  const services = names.map((name) => makeService(folder.path, name));
  const databases: DatabaseFacts[] = [];
  const stores: StoreFacts[] = [];
  const calls: CallEvent[] = [];
  const spans: SpanEvidence[] = [];
  const controller = new AbortController();
  const systemFolder = path.join(folder.path, 'system');
  mkdirSync(systemFolder);
  const service = (name: string): Changeable<ServiceFacts> => {
    const found = services.find((one) => one.name === name);
    if (!found) throw new Error(`the stage has no service ${name}`);
    return found;
  };
  return {
    folder: folder.path,
    context: {
      clock: systemClock,
      redactor: createRedactor({ KEY: 'sk-live-Zq81LmNop' }),
      signal: controller.signal,
      facts: async () => ({
        services: services.map((one) => ({ ...one })),
        databases: [...databases],
        stores: [...stores],
        volumes: [],
      }),
      calls: () => calls,
      spans: () => spans,
      systemFolder,
    },
    services,
    databases,
    stores,
    calls,
    spans,
    service,
    write: (name, file, content) => {
      const target = path.join(service(name).folders.dir, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, content);
      return target;
    },
    abort: () => controller.abort(givenUp),
    clear: () => folder.remove(),
  };
}

function makeService(folder: string, name: string): Changeable<ServiceFacts> {
  const base = path.join(folder, name);
  const folders = { dir: path.join(base, 'dir'), home: path.join(base, 'home'), tmp: path.join(base, 'tmp') };
  for (const own of Object.values(folders)) mkdirSync(own, { recursive: true });
  const logFile = path.join(base, 'service.log');
  writeFileSync(logFile, 'a line of long ago\n');
  return { name, pid: null, starts: 1, logFile, folders, listeners: [], shims: {} };
}

export function makeSpan(name: string, more: Partial<SpanEvidence> = {}): SpanEvidence {
  return {
    service: 'health',
    name,
    kind: 'server',
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    parentSpanId: null,
    attributes: {},
    events: [],
    status: { code: 'unset' },
    durationMs: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

export function makeCall(
  from: string,
  to: string,
  crossing: number,
  more: Partial<CallEvent> = {},
): CallEvent {
  return {
    type: 'call',
    from,
    to,
    crossing,
    connection: 1,
    protocol: 'http',
    method: 'POST',
    path: '/',
    request: { headers: {}, bytes: 0 },
    response: { headers: {}, bytes: 2, status: 200, text: 'ok' },
    startedAt: crossing * 10,
    endedAt: crossing * 10 + 5,
    ...more,
  };
}
