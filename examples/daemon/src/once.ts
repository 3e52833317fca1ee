/** A message with an id is processed once: when it is sent again, it gets the first answer again. */
import type { Printable } from './wire/sexp.ts';

export type Work = () => Promise<Printable | undefined>;

export interface Once {
  /** Two concurrent ones share the work, too. */
  run(id: string | undefined, work: Work): Promise<{ answer: Printable | undefined; duplicate: boolean }>;
}

const mostRemembered = 1_000;

export function createOnce(): Once {
  const answers = new Map<string, Promise<Printable | undefined>>();
  return {
    async run(id, work) {
      if (id === undefined) return { answer: await work(), duplicate: false };
      const known = answers.get(id);
      if (known) return { answer: await known, duplicate: true };
      const answer = work();
      answers.set(id, answer);
      const [oldest] = answers.keys();
      if (answers.size > mostRemembered && oldest !== undefined) answers.delete(oldest);
      return { answer: await answer, duplicate: false };
    },
  };
}
