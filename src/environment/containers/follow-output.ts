/** Follows what a container prints into the log of its service, as a process would write it there. */
import { closeSync, type PathLike, write } from 'node:fs';
import { promisify } from 'node:util';
import { openLog } from '../processes/open-log.ts';
import { containerLogs } from './engine/container-calls.ts';
import type { Engine } from './engine/open-engine.ts';
import { readFrames } from './engine/stream-frames.ts';

const writeTo = promisify(write);

export interface FollowedContainer {
  readonly id: string;
  readonly hasTerminal: boolean;
  /** Seconds since 1970, from when on. */
  readonly since: string;
  readonly logFile: PathLike & string;
}

/** Resolves when it has printed everything; a broken connection to the engine is an end, too. */
export async function followOutput(engine: Engine, container: FollowedContainer): Promise<void> {
  const { id, hasTerminal, since, logFile } = container;
  const source = await containerLogs(engine, id, { follow: true, since });
  const log = openLog(logFile);
  try {
    for await (const { bytes } of readFrames(source, hasTerminal)) await writeTo(log, bytes);
  } finally {
    source.destroy();
    closeSync(log);
  }
}
