/** Compose, as the plugin `docker compose` or as the older program `docker-compose`. */
import type { Call } from '../verb.ts';
import { askProgram, locate } from './ask-program.ts';
import type { Check } from './check.ts';
import { installHint } from './install-hint.ts';

const ways = [
  ['docker', 'compose', 'version'],
  ['docker-compose', 'version'],
] as const;

export const composeCheck: Check = {
  name: 'docker compose',
  otherwise: 'optional-missing',
  byHand: 'docker compose version',
  look: async ({ call }, signal) => {
    const answers = await Promise.all(ways.map((way) => tryWay(call, way, signal)));
    const found = answers.find((answer) => answer !== undefined);
    if (found) return { state: 'ok', detail: found };
    return {
      state: 'optional-missing',
      detail:
        'neither `docker compose` nor `docker-compose` answers; for systems that are described by a compose file, in a later version',
      next: installHint({ debian: 'docker-compose', macos: 'docker-compose' }),
    };
  },
};

async function tryWay(
  call: Call,
  [command, ...args]: (typeof ways)[number],
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = locate(call, command);
  if (file === undefined) return undefined;
  const { code, said } = await askProgram(call, file, args, signal);
  return code === 0 ? said[0] : undefined;
}
