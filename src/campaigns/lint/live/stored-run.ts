/** What `lint` reads from the newest stored run: the tools offered to models, and the error lines of services. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { runsOf } from '../../../environment/run-folder.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import { readTrialJournal } from '../../../journal/trial-journal.ts';
import { dialectFor } from '../../../protocols/dialects/dialect-table.ts';
import type { ModelRequest } from '../../../protocols/turn/dialect.ts';
import { kindOf } from '../../session/find-run.ts';

export interface StoredRun {
  readonly id: string;
  /** `gateway -> alpha` to the tools that were offered there, by name, with their schemas. */
  readonly offered: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** The edges on which more tools may have been offered. */
  readonly moreOffered: ReadonlySet<string>;
  /** Services that were called as tool servers: `agent` to `files`. */
  readonly toolServers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Trial to the error lines of its attempts. */
  readonly errors: ReadonlyMap<string, readonly ErrorLine[]>;
}

export interface ErrorLine {
  readonly service: string;
  readonly text: string;
}

const mostBytes = 256 * 1024 ** 2;

/** Undefined when nothing was ever performed here. */
export async function readStoredRun(systemFolder: string): Promise<StoredRun | undefined> {
  // `up` leaves runs, too, without trials.
  const folder = runsOf(systemFolder).findLast(
    (run) => kindOf(run) === 'run' && existsSync(path.join(run, 'trials')),
  );
  if (folder === undefined) return undefined;
  const offered = new Map<string, Map<string, unknown>>();
  const moreOffered = new Set<string>();
  const toolServers = new Map<string, Set<string>>();
  const errors = new Map<string, ErrorLine[]>();
  let bytes = 0;
  for (const journal of journalsOf(path.join(folder, 'trials'))) {
    bytes += statSync(path.join(journal, 'events.ndjson')).size;
    const read = bytes > mostBytes ? undefined : await readTrialJournal(journal).catch(() => undefined); // another may do
    if (read === undefined) continue;
    const lines = errors.get(read.header.trial) ?? [];
    errors.set(read.header.trial, lines);
    for (const event of read.events) note(event, { offered, moreOffered, toolServers, lines });
  }
  return { id: path.basename(folder), offered, moreOffered, toolServers, errors };
}

function journalsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'events.ndjson')
    .map(({ parentPath }) => parentPath)
    .sort();
}

interface Notes {
  readonly offered: Map<string, Map<string, unknown>>;
  readonly moreOffered: Set<string>;
  readonly toolServers: Map<string, Set<string>>;
  readonly lines: ErrorLine[];
}

function note(event: AttemptEvent, { offered, moreOffered, toolServers, lines }: Notes): void {
  if (event.type === 'log.error') lines.push({ service: event.service, text: event.text });
  if (event.type !== 'call') return;
  const { from, to } = event;
  if (event.protocol === 'json-rpc' && /^(?:initialize|tools\/)/.test(event.method))
    toolServers.set(from, (toolServers.get(from) ?? new Set()).add(to));
  const edge = `${from} -> ${to}`;
  const { tools = [], mayOfferMore } = requestIn(event) ?? {};
  if (mayOfferMore) moreOffered.add(edge);
  for (const { name, schema } of tools) {
    const known = offered.get(edge) ?? new Map<string, unknown>();
    offered.set(edge, known.set(name, schema));
  }
}

/** Tools offered to a model, in any dialect. */
function requestIn({ protocol, method, path: target, request }: CallEvent): ModelRequest | undefined {
  if (protocol !== 'http' || request.json === undefined) return undefined;
  const routed = dialectFor(method, target.split('?')[0] ?? target);
  return routed?.dialect.readRequest(request.json, routed.route);
}
