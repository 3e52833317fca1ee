/** The newest stored run, as far as `lint` can learn from it: the tools that models were offered, and the error lines of services. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../../../environment/run-folder.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import { openDocument } from '../../../journal/seal.ts';
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import { readTrialJournal } from '../../../journal/trial-journal.ts';
import { readPlainFile } from '../../../kernel/folders/own-file.ts';
import type { ModelRequest } from '../../../protocols/turn/dialect.ts';
import { dialectFor } from '../../../protocols/turn/dialect-table.ts';

export interface StoredRun {
  readonly id: string;
  /** `gateway -> alpha` to the tools that were offered there, by name, with their schemas. */
  readonly offered: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** The edges on which there may have been others. */
  readonly moreOffered: ReadonlySet<string>;
  /** Services that were called as tool servers: `agent` to `files`. */
  readonly toolServers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Trial to the error lines of its attempts. */
  readonly errors: ReadonlyMap<string, readonly ErrorLine[]>;
  /** Journals that could not be read, or were too many. */
  readonly unread: number;
}

export interface ErrorLine {
  readonly service: string;
  readonly text: string;
}

const mostBytes = 256 * 1024 ** 2;

/** Undefined when nothing was ever performed here. */
export async function readStoredRun(systemFolder: string): Promise<StoredRun | undefined> {
  const folder = newestRun(systemFolder);
  if (folder === undefined) return undefined;
  const offered = new Map<string, Map<string, unknown>>();
  const moreOffered = new Set<string>();
  const toolServers = new Map<string, Set<string>>();
  const errors = new Map<string, ErrorLine[]>();
  let unread = 0;
  let bytes = 0;
  for (const journal of journalsOf(path.join(folder, 'trials'))) {
    bytes += statSync(path.join(journal, 'events.ndjson')).size;
    const read =
      bytes > mostBytes
        ? 'too much'
        : await readTrialJournal(journal).catch(() => 'it cannot be read' as const);
    if (typeof read === 'string') {
      unread += 1;
      continue;
    }
    const lines = errors.get(read.header.trial) ?? [];
    errors.set(read.header.trial, lines);
    for (const event of read.events) note(event, { offered, moreOffered, toolServers, lines });
  }
  return { id: path.basename(folder), offered, moreOffered, toolServers, errors, unread };
}

/** `up` leaves runs, too, in which nothing was performed. */
function newestRun(systemFolder: string): string | undefined {
  const runs = path.join(stateFolder(systemFolder), 'runs');
  if (!existsSync(runs)) return undefined;
  return readdirSync(runs)
    .sort()
    .map((name) => path.join(runs, name))
    .findLast((run) => isOfTrials(run) && existsSync(path.join(run, 'trials')));
}

function isOfTrials(run: string): boolean {
  try {
    const plan = JSON.parse(openDocument(readPlainFile(path.join(run, 'plan.json')))) as { kind?: unknown };
    return plan.kind === 'run';
  } catch {
    return false; // one that cannot be read is no help
  }
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

/** To a model, in whichever dialect. */
function requestIn({ protocol, method, path: target, request }: CallEvent): ModelRequest | undefined {
  if (protocol !== 'http' || request.json === undefined) return undefined;
  const routed = dialectFor(method, target.split('?')[0] ?? target);
  return routed?.dialect.readRequest(request.json, routed.route);
}
