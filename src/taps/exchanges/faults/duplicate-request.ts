/** The fault that gives the provider a request twice; the consumer gets the first answer when the second has come. */
import { sentTwice } from '../../../journal/event.ts';
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';

/** The last bytes of the first answer wait for the second, so that a consumer that has the answer can rely on both. */
export function duplicateRequest({ sendAgain }: EditAbout): ExchangeEdit {
  let kept: Buffer[] | undefined = [];
  let keptBytes = 0;
  return {
    request: (part) => {
      keptBytes += part.raw.length;
      if (keptBytes > exchangeLimits.requestBytes) kept = undefined;
      kept?.push(part.raw);
      return [part];
    },
    response: (part) => {
      const request = kept;
      if (request === undefined || !(part.isLast || part.is === 'end')) return [part];
      kept = undefined;
      const work = async (): Promise<string | undefined> =>
        (await sendAgain(request)) ? sentTwice : undefined;
      return [{ do: 'work', work }, part];
    },
  };
}
