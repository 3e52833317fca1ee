/** Recordings in place of a third party: one for each trial, and none between trials. */
import path from 'node:path';
import type { HttpPeerSpec } from '../../../system/system.ts';
import { findCassette } from '../../cassette/cassette-file.ts';
import type { FallbackResponders, ResponderContext } from '../fallback-responder.ts';
import { playExchanges } from './play-exchanges.ts';
import { exchangeForm, type RecordedExchange } from './recorded-exchange.ts';

export function createCassetteResponders(spec: HttpPeerSpec, context: ResponderContext): FallbackResponders {
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
