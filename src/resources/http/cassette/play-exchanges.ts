/** Plays the recordings of a third party, one for each trial: each request gets what the same request got when it was recorded. */
import path from 'node:path';
import type { PeerUnused } from '../../../journal/peer-event.ts';
import type { HttpPeerSpec } from '../../../system/system.ts';
import { findCassette } from '../../cassette/cassette-file.ts';
import { shownHeaders } from '../../cassette/recorded-headers.ts';
import { bytesOf, changedPieces } from '../../cassette/recorded-pieces.ts';
import { RenamedIds } from '../../cassette/renamed-ids.ts';
import type { ResourceContext, Variables } from '../../resource.ts';
import type { WireReply } from '../../wire/wire-server.ts';
import type { AskedPeer, FallbackResponder, FallbackResponders, PeerOutcome } from '../fallback-responder.ts';
import {
  cleanParts,
  exchangeForm,
  exchangeParts,
  type PeerCassette,
  type RecordedExchange,
} from './exchange-parts.ts';
import { findExchange, idParts } from './find-exchange.ts';
import { HiddenValues } from './hidden-values.ts';

interface PlayedRecording {
  /** Undefined where there is none: then no call can be answered. */
  readonly cassette: PeerCassette | undefined;
  /** As a person finds it. */
  readonly file: string;
  readonly trial: string;
  readonly resource: string;
  readonly timing: 'original' | 'compressed';
  readonly secrets: Variables;
  emit(event: PeerUnused): void;
}

function playExchanges(recording: PlayedRecording): FallbackResponder {
  const { cassette, file, trial, resource, secrets, timing, emit } = recording;
  const calls = cassette?.calls ?? [];
  const left = [...calls];
  const context: ReplayContext = {
    ids: new RenamedIds(),
    hidden: new HiddenValues(JSON.stringify(calls), secrets),
    timing,
  };
  const again = `record it again: shakedown record ${trial}`;
  return {
    answer: async ({ caller, wire, reply }) => {
      if (!cassette) return refuse(reply, wire, `there is no recording ${file}; shakedown record ${trial}`);
      const raw = exchangeParts(wire);
      const parts = cleanParts(raw, context.hidden.redactorFor(raw));
      const isOwn = (call: RecordedExchange): boolean => call.caller === caller;
      const outcome = findExchange(parts, calls.filter(isOwn), left.filter(isOwn), context.ids);
      const taken = 'found' in outcome ? outcome.found : outcome.nearest;
      if (taken) left.splice(left.indexOf(taken), 1);
      if (!('found' in outcome)) return refuse(reply, wire, `${outcome.drift}; ${again}`);
      const { request, response, call } = outcome.found;
      context.ids.learn(idParts(request), idParts(parts));
      await replay(response, context, reply);
      return { status: response.status, line: call, by: 'cassette' };
    },
    unused: () => left.length,
    settle: async () => {
      for (const { caller, call, request, response } of left) {
        const what = `the recorded answer ${response.status} to ${request.method} ${request.path}; ${again}`;
        emit({ type: 'peer.unused', resource, caller, line: call, what });
      }
    },
  };
}

/** What makes an answer of then one of now. */
interface ReplayContext {
  readonly ids: RenamedIds;
  readonly hidden: HiddenValues;
  readonly timing: PlayedRecording['timing'];
}

async function replay(
  { status, headers, pieces, end }: RecordedExchange['response'],
  { ids, hidden, timing }: ReplayContext,
  reply: WireReply,
): Promise<void> {
  if (status === 0) return reply.breakOff('hang');
  const raw = pieces.map((piece) => ({ bytes: bytesOf(piece), afterMs: piece.afterMs }));
  const body = changedPieces(raw, (bytes) => ids.rename(hidden.showBytes(bytes)));
  const head = shownHeaders(headers, {
    name: (text) => hidden.show(text),
    value: (text) => ids.rename(hidden.show(text)),
  });
  // A consumer that repeats an id that was introduced here means that very id.
  ids.learnOwn(Object.values(headers).join('\n'));
  ids.learnOwn(Buffer.concat(raw.map(({ bytes }) => bytes)).toString('latin1'));
  await reply.answer({
    status,
    headers: head,
    pieces: body.map(({ bytes, afterMs }) => ({
      bytes,
      ...(timing === 'original' && afterMs > 0 ? { afterMs } : {}),
    })),
    end,
  });
}

function refuse(reply: WireReply, { method, path }: AskedPeer['wire'], what: string): PeerOutcome {
  const message = `${method} ${path}: ${what}`;
  reply.send(
    501,
    { 'content-type': 'application/json' },
    `${JSON.stringify({ error: { type: 'drift', message } }, undefined, 2)}\n`,
  );
  return { status: 501, by: 'cassette', fault: { kind: 'drift', what } };
}

export function createCassetteResponders(spec: HttpPeerSpec, context: ResourceContext): FallbackResponders {
  const { name: resource, timing } = spec;
  const { secrets, emit, systemFolder } = context;
  return {
    between: () => undefined,
    play: async ({ trial }) => {
      // A trial that does not call it needs none; one that does fails at the call.
      const { file, cassette } = await findCassette<RecordedExchange>(spec, trial, exchangeForm);
      const shown = path.relative(systemFolder, file);
      return playExchanges({ cassette, file: shown, trial, resource, timing, secrets, emit });
    },
    close: () => undefined,
  };
}
