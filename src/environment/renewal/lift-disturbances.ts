/** Lets every edge pass everything on again. */
import type { EnvironmentContext } from '../environment-context.ts';

/** What a rule held back is not delivered late: it belongs to a trial that is over. */
export async function liftDisturbances({ disturbed, book, stdioRules }: EnvironmentContext): Promise<void> {
  stdioRules.clear();
  await Promise.all(book.taps.map(({ tap }) => tap.disturbExchanges([])));
  const taps = [...disturbed];
  disturbed.clear();
  await Promise.all(
    taps.map(async (tap) => {
      await tap.disturb({ rule: 'cut', direction: 'both', by: 'reset' });
      await tap.disturb({ rule: 'pass' });
    }),
  );
}
