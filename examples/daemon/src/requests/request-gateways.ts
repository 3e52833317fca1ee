/** Links, unlinks and lists gateways. */
import type { Gateway } from '../gateways.ts';
import { linkMessenger, tellUnlinked } from '../messenger/link-messenger.ts';
import type { Parts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { nameAt } from '../wire/message.ts';
import { keyword, type Printable, type Value } from '../wire/sexp.ts';

export async function requestGateways(message: Value, parts: Parts): Promise<Printable> {
  const action = nameAt(message, 'PAYLOAD', 'ACTION');
  const name = nameAt(message, 'PAYLOAD', 'NAME') ?? '';
  switch (action) {
    case 'list':
      return listed(action, parts);
    case 'link': {
      const { webhook } = await link(name, nameAt(message, 'PAYLOAD', 'VIA'), parts);
      parts.events.write({
        sensor: 'gateways',
        gateway: name,
        outcome: 'linked',
        webhook: webhook?.id ?? null,
      });
      return { ...listed(action, parts), NAME: name };
    }
    case 'unlink': {
      const gone = parts.gateways.unlink(name);
      const told = gone.webhook ? await tellUnlinked(gone, parts) : null;
      parts.events.write({ sensor: 'gateways', gateway: name, outcome: 'unlinked', told });
      return { ...listed(action, parts), NAME: name, TOLD: told ?? undefined };
    }
    default:
      throw new Refusal('unknown-action', 'gateways know :ACTION :list, :link and :unlink');
  }
}

async function link(name: string, via: string | undefined, parts: Parts): Promise<Gateway> {
  if (via === undefined) return parts.gateways.link(name);
  if (via !== 'messenger') throw new Refusal('unknown-way', `a gateway leads via the messenger, not ${via}`);
  return linkMessenger(name, parts);
}

/** The secrets of webhooks stay here. */
function listed(action: string, { gateways }: Parts): { [key: string]: Printable } {
  const known = gateways.list();
  return {
    ACTION: keyword(action),
    COUNT: known.length,
    GATEWAYS: known.map(({ name, linkedAt, webhook }) => ({
      NAME: name,
      'LINKED-AT': linkedAt,
      VIA: webhook ? keyword('messenger') : undefined,
    })),
  };
}
