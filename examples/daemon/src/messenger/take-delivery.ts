/** Accepts a delivery of the messenger: checks its signature, sends it through the pipeline, and sends the answer back. */
import type { Gateway } from '../gateways.ts';
import { log, reasonOf } from '../log.ts';
import type { Parts } from '../parts.ts';
import { Refusal } from '../refusal.ts';

interface Delivery {
  readonly id: string;
  readonly chat: string;
  readonly text: string;
}

/** Resolves when it is accepted: the answer is sent later. Rejects with a Refusal. */
export async function takeDelivery(
  name: string,
  body: Buffer,
  signature: string,
  parts: Parts,
): Promise<void> {
  // The first delivery may arrive before the messenger's own confirmation.
  const gateway = await parts.gateways.find(name);
  const secret = gateway?.webhook?.secret;
  if (!gateway || secret === undefined) throw new Refusal('not-linked', `no messenger is linked to ${name}`);
  if (!parts.isSignedBy(secret, body, signature))
    throw new Refusal('bad-signature', `a delivery to ${name} is not signed by the messenger`);
  const delivery = readDelivery(body);
  if (!delivery) throw new Refusal('bad-delivery', 'a delivery has an id, a chat and a text');
  parts.once
    .run(`${name}/${delivery.id}`, () => answer(gateway, delivery, parts))
    .catch((error: unknown) => log.error(`a delivery to ${name} could not be answered: ${reasonOf(error)}`));
}

async function answer(gateway: Gateway, { id, chat, text }: Delivery, parts: Parts): Promise<undefined> {
  const { name } = gateway;
  const stimulus = { session: `hook-${name}`, sensor: 'user-input', source: name, id, text } as const;
  const decision = await parts.take(stimulus, parts);
  if (!decision) return;
  const event = { sensor: 'messenger', source: name, id, chat };
  if (!(await parts.maySpeak(gateway, parts.gateways))) {
    parts.events.write({ ...event, outcome: 'withheld' });
    return;
  }
  try {
    await parts.messenger?.send({ chat, text: decision.text, inReplyTo: id, degraded: decision.degraded });
    parts.events.write({ ...event, outcome: 'sent' });
  } catch (error) {
    log.warn(`messenger did not take the answer to ${id}: ${reasonOf(error)}`);
    parts.events.write({ ...event, outcome: 'undelivered' });
  }
}

/** A gateway that is unlinked while an answer is computed does not get it, not even when it is linked again. */
export async function maySpeak({ name, webhook }: Gateway, gateways: Parts['gateways']): Promise<boolean> {
  return (await gateways.find(name))?.webhook?.id === webhook?.id;
}

function readDelivery(body: Buffer): Delivery | undefined {
  try {
    const { id, chat, text } = (JSON.parse(body.toString()) ?? {}) as Partial<Record<string, unknown>>;
    if (typeof id !== 'string' || typeof chat !== 'string' || typeof text !== 'string') return undefined;
    return id === '' || text.trim() === '' ? undefined : { id, chat, text };
  } catch {
    return undefined;
  }
}
