/** What is up in this folder, if anything is. */
import { findLive } from '../live-environment.ts';
import type { Check } from './check.ts';

export const environmentCheck: Check = {
  name: 'environment',
  otherwise: 'missing',
  byHand: 'shakedown status; shakedown down',
  look: async ({ folder }) => {
    const live = await findLive(folder);
    if (!live) return { state: 'ok', detail: 'nothing is up here' };
    try {
      const { state, run, services, keeper } = await live.client.ask('status', {});
      return {
        state: 'ok',
        detail: `up and ${state}: run ${run}, ${services.length} services, keeper ${keeper.pid}`,
      };
    } finally {
      live.client.close();
    }
  },
};
