/** The deed that gives the provider a request twice; the consumer hears the first answer, when the second has come. */
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';

const what = 'sent the request to the provider a second time';

/** The last bytes of the first answer wait for the second one, so that whoever has the answer can rely on both. */
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
      const work = async (): Promise<string | undefined> => ((await sendAgain(request)) ? what : undefined);
      return [{ do: 'work', work }, part];
    },
  };
}
