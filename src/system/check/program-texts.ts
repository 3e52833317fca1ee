/** The texts in a job or service, each with the references that it may hold. */
import { isContainer } from '../../kernel/exact-json.ts';
import { type ReadyProbe, readyProbes } from '../document/ready-probes.ts';
import type { DocumentPath } from '../source/document-path.ts';

/**
 * start: references are resolved before the program starts. ready: while its readiness is probed.
 * expression: a regular expression, in which `${` means nothing. plain: read when the config is loaded.
 */
export type TextRole = 'start' | 'ready' | 'expression' | 'plain';

export interface ProgramText {
  readonly path: DocumentPath;
  readonly text: string;
  readonly role: TextRole;
}

export function programTexts(document: unknown): ProgramText[] {
  return textsIn(document, []);
}

/** The same document with every text replaced. */
export function mapProgramTexts<T>(document: T, replace: (text: ProgramText) => string): T {
  return mapTexts(document, [], replace) as T;
}

function textsIn(value: unknown, path: DocumentPath): ProgramText[] {
  if (typeof value === 'string') return [{ path, text: value, role: roleOf(path) }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isContainer(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

function mapTexts(value: unknown, path: DocumentPath, replace: (text: ProgramText) => string): unknown {
  if (typeof value === 'string') return replace({ path, text: value, role: roleOf(path) });
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, [...path, index], replace));
  if (!isContainer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, [...path, key], replace)]),
  );
}

function roleOf(path: DocumentPath): TextRole {
  const last = path.at(-1);
  switch (path[0]) {
    case 'at':
    case 'run':
    case 'cwd':
    case 'env':
    case 'entrypoint':
    case 'command':
      return 'start';
    case 'build':
      return path[1] === 'args' ? 'start' : 'plain';
    case 'healthcheck':
      return path[1] === 'test' ? 'start' : 'plain';
    case 'files':
      return last === 'text' ? 'start' : 'plain';
    case 'listen':
      return last === 'log' ? 'expression' : 'plain';
    case 'ready':
      return readyRole(path);
    default:
      return 'plain';
  }
}

/** What a probe does not fill in is compared or sent as written. */
function readyRole(path: DocumentPath): TextRole {
  const key = path.slice(1).find((step) => typeof step === 'string' && step !== 'allOf' && step !== 'anyOf');
  const { texts }: Partial<ReadyProbe> = readyProbes[key as keyof typeof readyProbes] ?? {};
  return texts ?? (key === 'firstBytes' ? 'expression' : 'plain');
}
