/** Links a gateway to the outside messenger, and unlinks it: first here, then there. */
import { randomBytes } from 'node:crypto';
import type { Gateway, Webhook } from '../gateways.ts';
import { log, reasonOf } from '../log.ts';
import type { Parts } from '../parts.ts';
import { Refusal } from '../refusal.ts';

/** Nothing is linked unless the messenger has confirmed it. */
export async function linkMessenger(name: string, parts: Parts): Promise<Gateway> {
  const { gateways, settings } = parts;
  return gateways.linkOnce(name, async (): Promise<Webhook> => {
    const { messenger } = parts;
    if (!messenger) throw new Refusal('no-messenger', 'MESSENGER_URL is not set');
    const secret = randomBytes(24).toString('hex');
    try {
      return { id: await messenger.register(`${settings.hooksUrl}/hooks/${name}`, secret), secret };
    } catch (error) {
      throw new Refusal('link-failed', `the messenger: ${reasonOf(error)}`);
    }
  });
}

/** Whether the messenger was notified. The gateway is unlinked in any case: later deliveries are refused. */
export async function tellUnlinked({ name, webhook }: Gateway, { messenger }: Parts): Promise<boolean> {
  try {
    if (!messenger) throw new Error('MESSENGER_URL is not set');
    if (webhook) await messenger.remove(webhook.id);
    return true;
  } catch (error) {
    log.warn(`messenger was not told that ${name} is unlinked: ${reasonOf(error)}`);
    return false;
  }
}
