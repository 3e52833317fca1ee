/** Every kind of step with its document and its driver, which is loaded when a step needs it. */
import type { z } from 'zod';
import type { Driver } from '../../drivers/driver.ts';
import { commandDocument } from '../../kinds/command/document.ts';
import { httpDocument } from '../../kinds/http/document.ts';
import { mcpDocument } from '../../kinds/mcp/document.ts';
import { onDocument } from '../../kinds/on/document.ts';
import { quietDocument } from '../../kinds/quiet/document.ts';
import {
  killDocument,
  pauseDocument,
  restartDocument,
  resumeDocument,
  startDocument,
  stopDocument,
} from '../../kinds/service/document.ts';
import { tcpDocument } from '../../kinds/tcp/document.ts';
import { untilDocument } from '../../kinds/until/document.ts';
import { useDocument } from '../../kinds/use/document.ts';

/** One kind with what performing needs. */
export interface StepRow {
  readonly document: z.ZodObject;
  readonly load?: () => Promise<unknown>;
}

const ours: Readonly<Record<string, StepRow>> = {
  http: {
    document: httpDocument,
    load: async () => (await import('../../drivers/http/http-driver.ts')).httpDriver,
  },
  tcp: {
    document: tcpDocument,
    load: async () => (await import('../../drivers/tcp/tcp-driver.ts')).tcpDriver,
  },
  on: { document: onDocument },
  mcp: {
    document: mcpDocument,
    load: async () => (await import('../../drivers/mcp/mcp-driver.ts')).mcpDriver,
  },
  command: {
    document: commandDocument,
    load: async () => (await import('../../drivers/command/command-driver.ts')).commandDriver,
  },
  restart: { document: restartDocument },
  stop: { document: stopDocument },
  start: { document: startDocument },
  kill: { document: killDocument },
  pause: { document: pauseDocument },
  resume: { document: resumeDocument },
  quiet: { document: quietDocument },
  until: { document: untilDocument },
  use: { document: useDocument },
};

const rows: Record<string, StepRow> = { ...ours };

export function addStepRows(added: Readonly<Record<string, StepRow>>): void {
  for (const key of Object.keys(added)) loaded.delete(key);
  Object.assign(rows, added, ours);
}

export function stepDocuments(): Readonly<Record<string, z.ZodObject>> {
  return Object.fromEntries(Object.entries(rows).map(([key, { document }]) => [key, document]));
}

export function stepDocument(key: string): z.ZodObject {
  return (rows[key] as StepRow).document;
}

const loaded = new Map<string, Driver<unknown>>();

export function hasDriver(key: string): boolean {
  return rows[key]?.load !== undefined;
}

/** Drivers already loaded, so that a burst and the next step need not wait. */
export function driverAtHand(key: string): Driver<unknown> | undefined {
  return loaded.get(key);
}

export async function loadDriver(key: string): Promise<Driver<unknown>> {
  const load = rows[key]?.load;
  if (!load) throw new Error(`a \`${key}\` step has no driver`);
  const driver = loaded.get(key) ?? ((await load()) as Driver<unknown>);
  loaded.set(key, driver);
  return driver;
}
