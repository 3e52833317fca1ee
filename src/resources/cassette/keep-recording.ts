/** Writes what was recorded in an attempt, or says why what is there stays. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createRedactor, type Redactor, showSecrets } from '../../journal/redaction.ts';
import { defined } from '../../kernel/defined.ts';
import { exactJsonOr, isContainer } from '../../kernel/exact-json.ts';
import { projectPlace } from '../../kernel/folders/project-place.ts';
import { absentOn } from '../../kernel/system-error.ts';
import type { ResourceContext, Variables } from '../resource.ts';
import { type Cassette, cassetteVersion, type RecordedPiece } from './cassette.ts';
import { cassetteFile, refuseToReplace, writeCassette } from './cassette-file.ts';
import { type Headers, harmlessHeaders } from './recorded-headers.ts';

export interface RecordingPlace {
  readonly spec: { readonly name: string; readonly cassettes: string };
  readonly trial: string;
  readonly context: Pick<ResourceContext, 'clock' | 'emit' | 'systemFolder' | 'tool'>;
}

export interface RecordingToKeep extends Pick<Cassette<Recorded>, 'kind' | 'upstream' | 'calls'> {
  /** Those that are not in it, unless they came in pieces. */
  readonly secrets: Variables;
  /** Why it cannot be played: a call was not answered, or too much was sent. */
  readonly obstacle: string | undefined;
  /** The attempt came to its end. One that did not may have asked less than it would. */
  readonly isWhole: boolean;
}

/**
 * Rejects with a problem where the file is the recording of something else. Gives what writes it in the end: a recording that
 * failed never takes the place of one that is there.
 */
export async function openRecording({
  spec: { name: resource, cassettes },
  trial,
  context: { clock, emit, systemFolder, tool },
}: RecordingPlace): Promise<(made: RecordingToKeep) => Promise<void>> {
  const file = cassetteFile(cassettes, trial);
  projectPlace(systemFolder, file);
  await refuseToReplace(file, { resource, trial });
  return async ({ kind, upstream, calls, secrets, isWhole, ...made }) => {
    const isThere = (await stat(file).catch(absentOn('ENOENT', 'ENOTDIR'))) !== undefined;
    const obstacle = made.obstacle ?? streamedSecret(calls, secrets);
    const because = obstacle ?? (!isWhole && isThere ? endedEarly : undefined);
    // A trial that does not call a third party needs no recording of it; of a model, which has no kind, it does.
    if (because === undefined && calls.length === 0 && !isThere && kind !== undefined) return;
    const recordedAt = new Date(clock.now()).toISOString();
    const about = { ...defined({ kind }), resource, trial, recordedAt, ...defined({ tool, upstream }) };
    const redactor = createRedactor(tellingOf(secrets));
    const clean = calls.map((call) => withoutSecrets(call, redactor));
    if (because === undefined)
      writeCassette(systemFolder, file, { cassette: cassetteVersion, ...about, calls: clean });
    emit({
      type: 'peer.recorded',
      resource,
      file: path.relative(systemFolder, file),
      calls: calls.length,
      ...(because === undefined ? {} : { because, ...(isThere ? { stays: true as const } : {}) }),
    });
  };
}

const endedEarly = 'the attempt ended early, and may not have made every call';

interface Streamed {
  readonly caller: string;
  readonly call: number;
  readonly response: { readonly pieces: readonly RecordedPiece[] };
}

interface Recorded extends Streamed {
  readonly request: { readonly path: string };
  readonly response: Streamed['response'] & { readonly headers: Headers };
}

/** What is not in the body comes as it was sent, unless the recorder of its kind took secrets out of it. */
function withoutSecrets(call: Recorded, redactor: Redactor): Recorded {
  const { request, response } = call;
  return {
    ...call,
    request: { ...request, path: redactor.redact(request.path) },
    response: { ...response, headers: harmlessHeaders(response.headers, redactor) },
  };
}

/** Plain words do not count. */
function tellingOf(secrets: Variables): Variables {
  return Object.fromEntries(
    Object.entries(secrets).filter(([, value = '']) => !/^(?:[A-Za-z]*|\d{1,9}|.{1,7})$/.test(value)),
  );
}

/** Which call brought it, as the reason why the recording is not written. */
export function streamedSecret(calls: readonly Streamed[], secrets: Variables): string | undefined {
  const values = tellingOf(secrets);
  const redactor = createRedactor(values);
  // A long piece is a token by now, and joins what the others left.
  const joins = (text: string): boolean =>
    redactor.redact(showSecrets(text, (name) => values[name])) !== text;
  const found = calls.find(({ response }) => streamedTexts(response.pieces).some(joins));
  return (
    found && `call ${found.call} of ${found.caller} was answered with a secret in pieces, over several events`
  );
}

/** What the events say one after the other: as they are, and of JSON each field by itself. */
function streamedTexts(pieces: readonly RecordedPiece[]): readonly string[] {
  const stream = pieces.map(({ text = '' }) => text).join('');
  if (!stream.includes('data:')) return [];
  const said = new Map<string, string>();
  const add = (place: string, value: unknown): void => {
    if (typeof value === 'string') said.set(place, (said.get(place) ?? '') + value);
    else if (isContainer(value))
      for (const [key, inner] of Object.entries(value)) add(`${place}.${key}`, inner);
  };
  for (const [, data = ''] of stream.matchAll(/^data: ?(.*?)\r?$/gm)) add('', exactJsonOr(data, data));
  return [...said.values()];
}
