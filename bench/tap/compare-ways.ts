/** The ways to a store that are compared: none between, a tap that passes bytes, one that reads them, one that writes that down, too. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Contestant, type Scores, type SideBySide, sideBySide } from '../side-by-side.ts';
import { startActor } from './actor.ts';

/** Many short ones: what else the machine does then meets all of them. */
const rounds = 27;
/** The scheduler may put a process beside a busy one for long, so that several of each kind take turns. */
const sets = 3;

export interface StoreClient<Opened> {
  open(port: number): Promise<Opened>;
  measure(opened: Opened): Promise<Scores>;
  close(opened: Opened): Promise<void>;
}

export async function compareWays<Opened>(port: number, client: StoreClient<Opened>): Promise<SideBySide> {
  const relays: Relays[] = [];
  const opened: Opened[] = [];
  try {
    for (let set = 0; set < sets; set += 1) relays.push(await startRelays(port, set));
    const contestants: Contestant[] = [];
    for (const name of ['direct', 'tap', 'reading', 'journalling'] as const) {
      const own: Opened[] = [];
      for (const { ports } of relays) own.push(await client.open(ports[name]));
      opened.push(...own);
      for (const one of own) await client.measure(one); // what is compiled on its way is not counted
      contestants.push({ name, measure: taking(own, client) });
    }
    return await sideBySide(rounds, contestants);
  } finally {
    for (const one of opened) await client.close(one);
    for (const { stop } of relays) await stop();
  }
}

function taking<Opened>(own: readonly Opened[], client: StoreClient<Opened>): () => Promise<Scores> {
  let turn = 0;
  return () => {
    turn += 1;
    return client.measure(own[turn % own.length] as Opened);
  };
}

interface Relays {
  readonly ports: Readonly<Record<'direct' | 'tap' | 'reading' | 'journalling', number>>;
  readonly stop: () => Promise<void>;
}

async function startRelays(direct: number, set: number): Promise<Relays> {
  const journal = path.join(tmpdir(), `shakedown-bench-${process.pid}-${direct}-${set}.jsonl`);
  const tap = await startActor('proxy.ts', String(direct));
  const reading = await startActor('proxy.ts', String(direct), 'store');
  const journalling = await startActor('proxy.ts', String(direct), 'store', journal);
  return {
    ports: { direct, tap: tap.port, reading: reading.port, journalling: journalling.port },
    stop: async () => {
      await Promise.all([tap.stop(), reading.stop(), journalling.stop()]);
      await rm(journal, { force: true });
    },
  };
}
