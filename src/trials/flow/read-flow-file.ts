/** Reads the flows of a file without performing them. */
import type { System } from '../../system/system.ts';
import type { Trial } from '../trial.ts';

export async function readFlowFile(_file: string, _system: System): Promise<readonly Trial[]> {
  return [];
}
