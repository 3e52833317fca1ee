/** Every kind of check with its document and its observer, which is loaded when a trial needs it. */
import type { z } from 'zod';
import { callsDocument, callsPlace } from '../../kinds/calls/document.ts';
import { changesDocument } from '../../kinds/changes/document.ts';
import { checkKinds } from '../../kinds/check-kinds.ts';
import { commandCheckDocument } from '../../kinds/command/check-document.ts';
import { eventsDocument, eventsPlace } from '../../kinds/events/document.ts';
import { exchangeDocument, exchangePlace } from '../../kinds/exchange/document.ts';
import { filesDocument, filesPlace } from '../../kinds/files/document.ts';
import { logsDocument, logsPlace } from '../../kinds/logs/document.ts';
import { processDocument } from '../../kinds/process/document.ts';
import { redisDocument, redisPlace } from '../../kinds/redis/document.ts';
import { rowsDocument, rowsPlace } from '../../kinds/rows/document.ts';
import { spansDocument, spansPlace } from '../../kinds/spans/document.ts';
import type { Observer } from '../../observers/observer.ts';
import { derivedChecks } from './derived-check-documents.ts';

export interface CheckRow {
  readonly document: z.ZodObject;
  /** The keys with which a `correlate` check names it as a place. */
  readonly place?: z.ZodRawShape;
  readonly load?: () => Promise<unknown>;
}

const observed: Readonly<Record<string, CheckRow>> = {
  exchange: { document: exchangeDocument, place: exchangePlace },
  calls: {
    document: callsDocument,
    place: callsPlace,
    load: async () => (await import('../../observers/calls/calls-observer.ts')).callsObserver,
  },
  rows: {
    document: rowsDocument,
    place: rowsPlace,
    load: async () => (await import('../../observers/rows/rows-observer.ts')).rowsObserver,
  },
  redis: {
    document: redisDocument,
    place: redisPlace,
    load: async () => (await import('../../observers/redis/redis-observer.ts')).redisObserver,
  },
  files: {
    document: filesDocument,
    place: filesPlace,
    load: async () => (await import('../../observers/files/files-observer.ts')).filesObserver,
  },
  logs: {
    document: logsDocument,
    place: logsPlace,
    load: async () => (await import('../../observers/logs/logs-observer.ts')).logsObserver,
  },
  events: {
    document: eventsDocument,
    place: eventsPlace,
    load: async () => (await import('../../observers/events/events-observer.ts')).eventsObserver,
  },
  process: {
    document: processDocument,
    load: async () => (await import('../../observers/process/process-observer.ts')).processObserver,
  },
  command: {
    document: commandCheckDocument,
    load: async () => (await import('../../observers/command/command-observer.ts')).commandObserver,
  },
  spans: {
    document: spansDocument,
    place: spansPlace,
    load: async () => (await import('../../observers/spans/spans-observer.ts')).spansObserver,
  },
};

/** The kinds that can be a place of a `correlate` check. */
export const placeKinds: readonly string[] = Object.keys(observed).filter((key) => observed[key]?.place);

/** In lookup order. */
const ours: Readonly<Record<string, CheckRow>> = {
  ...observed,
  ...derivedChecks(placeKinds, Object.assign({}, ...Object.values(observed).map(({ place }) => place))),
  changes: {
    document: changesDocument(Object.keys(checkKinds).filter((key) => checkKinds[key]?.change)),
    load: async () => (await import('../../observers/changes/changes-observer.ts')).changesObserver,
  },
};

export const ourCheckKeys: readonly string[] = Object.keys(ours);

const rows: Record<string, CheckRow> = { ...ours };

export function addCheckRows(added: Readonly<Record<string, CheckRow>>): void {
  Object.assign(rows, added, ours);
}

export function checkDocument(key: string): z.ZodObject | undefined {
  return rows[key]?.document;
}

export function checkKeys(): readonly string[] {
  return Object.keys(rows);
}

export function hasObserver(key: string): boolean {
  return rows[key]?.load !== undefined;
}

export async function loadObserver(key: string): Promise<Observer<unknown>> {
  const load = rows[key]?.load;
  if (!load) throw new Error(`a \`${key}\` check has no observer`);
  return (await load()) as Observer<unknown>;
}
