/** The real third party in place of a script: recorded in each attempt, and only passed on to before the first one. */
import type { HttpPeerSpec } from '../../../system/system.ts';
import { cassetteFile, refuseToReplace } from '../../cassette/cassette-file.ts';
import { openAgents } from '../../upstream/upstream-agents.ts';
import { recordExchanges } from '../cassette/record-exchanges.ts';
import type { Understudies, UnderstudyContext } from '../understudy.ts';
import { askUpstream } from './ask-upstream.ts';
import { openPeerUpstream } from './open-peer-upstream.ts';

/** Throws a problem where the config does not say enough. */
export function castUpstream(spec: HttpPeerSpec, context: UnderstudyContext): Understudies {
  const upstream = openPeerUpstream(spec, context.hostEnv);
  const agents = openAgents();
  return {
    between: () => ({
      answer: (asked) => askUpstream(asked, { upstream, agents }),
      settle: async () => undefined,
    }),
    play: async ({ trial }) => {
      const file = cassetteFile(spec.cassettes, trial);
      await refuseToReplace(file, { resource: spec.name, trial });
      return recordExchanges({ spec, context, upstream, agents, file, trial });
    },
    close: () => agents.close(),
  };
}
