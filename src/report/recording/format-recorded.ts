/** One line about a recording that was written, or was not. */
import type { PeerRecorded } from '../../journal/peer-event.ts';

export function formatRecorded({ file, calls, because, stays }: PeerRecorded): string {
  if (because === undefined) return `recorded ${file}: ${calls === 1 ? 'one call' : `${calls} calls`}`;
  return `${file} ${stays ? 'stays as it was' : 'was not written'}: ${because}`;
}
