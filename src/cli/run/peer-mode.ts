/** `--peers`: who answers for third parties in place of the config's choice. */
import { Problem } from '../../kernel/problem.ts';
import type { PeerMode, System } from '../../system/system.ts';
import type { Call } from '../verb.ts';
import { modeOption } from './mode-option.ts';

const modes: readonly PeerMode[] = ['script', 'record', 'cassette'];

/** Those without an `upstream` have nobody behind them, and stay as they are. */
export function withPeerMode(call: Call, system: System): System {
  const mode = modeOption(call, 'peers', modes);
  if (mode === undefined) return system;
  const isMeant = (resource: System['resources'][number]): boolean =>
    resource.kind === 'http' && resource.upstream !== undefined;
  if (!system.resources.some(isMeant)) throw noUpstream(mode);
  return {
    ...system,
    resources: system.resources.map((resource) =>
      resource.kind === 'http' && isMeant(resource) ? { ...resource, mode } : resource,
    ),
  };
}

function noUpstream(mode: PeerMode): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: `third parties, mode ${mode}`,
    what: 'the config declares no resource of the kind `http` with an `upstream`',
    allowed: 'a system with a third party that has a real one behind it',
    next: 'add `upstream: { url }` to the third party',
  });
}
