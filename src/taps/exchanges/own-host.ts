/** Gives a provider its own address in place of the tap's: in `Host`, and in an `Origin` that names the tap. */
import type { Target } from '../tap.ts';
import type { ExchangeEdit } from './exchange-edit.ts';
import { headLines, joinHead, nameOf } from './framing.ts';

/** `tap` is what a consumer takes for the provider's address. */
export function ownHostEdit(tap: string, provider: Target | undefined): ExchangeEdit {
  if (provider === undefined) return {};
  const own = `${provider.host}:${provider.port}`;
  const changed = (line: string): string => {
    const name = nameOf(line).toLowerCase();
    if (name === 'host') return `Host: ${own}`;
    return name === 'origin' ? line.replace(`//${tap}`, `//${own}`) : line;
  };
  return {
    request: (part) =>
      part.is === 'head' ? [{ ...part, raw: joinHead(headLines(part.raw).map(changed), 'latin1') }] : [part],
  };
}
