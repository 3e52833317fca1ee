/** Writes what was recorded in an attempt, or says why what is there stays. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Emit } from '../../journal/event.ts';
import { absentOn } from '../../kernel/system-error.ts';
import type { Cassette } from './cassette.ts';
import { writeCassette } from './cassette-file.ts';
import { type Recorded, streamedSecret } from './streamed-secret.ts';

export interface RecordingToKeep {
  readonly file: string;
  readonly cassette: Cassette<Recorded>;
  /** Those that are not in it, unless they came in pieces. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  /** Why it is not worth playing: somebody did not answer, or too much was said. */
  readonly obstacle: string | undefined;
  /** The attempt came to its end. One that did not may have asked less than it would. */
  readonly isWhole: boolean;
  readonly systemFolder: string;
  readonly emit: Emit;
}

/** A recording that failed never takes the place of one that is there. */
export async function keepRecording(recording: RecordingToKeep): Promise<void> {
  const { file, cassette, isWhole, systemFolder, emit } = recording;
  const isThere = (await stat(file).catch(absentOn('ENOENT', 'ENOTDIR'))) !== undefined;
  const obstacle = recording.obstacle ?? streamedSecret(cassette.calls, recording.secrets);
  const because = obstacle ?? (!isWhole && isThere ? endedEarly : undefined);
  const isNothing = cassette.calls.length === 0 && !isThere && cassette.kind === 'http';
  if (because === undefined && !isNothing) await writeCassette(file, cassette);
  // A trial that does not call a third party needs no recording of it.
  if (because === undefined && isNothing) return;
  emit({
    type: 'peer.recorded',
    resource: cassette.resource,
    file: path.relative(systemFolder, file),
    calls: cassette.calls.length,
    ...(because === undefined ? {} : { because, ...(isThere ? { stays: true as const } : {}) }),
  });
}

const endedEarly = 'the attempt ended before its end, and may not have asked for everything';
