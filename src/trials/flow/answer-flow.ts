/** The performer's side of the channel to a flow: does what the flow asks for, and keeps what it declares. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import { hasDriver, loadDriver } from '../kinds/step-table.ts';
import { type Throughout, watchThroughout } from '../perform/watch-throughout.ts';
import { mistakeIn } from './as-written.ts';
import { declareCheck } from './declare-check.ts';
import { doAct, type Reply } from './do-act.ts';
import type { Answer, Ask, Declaration, FromFlow } from './flow-message.ts';
import type { FlowPerformance } from './flow-performance.ts';
import { lookOnce, waitUntil } from './look-and-wait.ts';

export interface FlowAnswers {
  /** Opens observers that compare with "before", before the first act. */
  begin(watches: Extract<FromFlow, { say: 'begins' }>['watches']): void;
  answer(asks: readonly Ask[]): void;
  declare(check: Declaration): void;
  /** Checks to sample when the flow is over. */
  readonly later: readonly CheckRecord[];
  /** Checks that could not be declared, and why, with the line. */
  readonly faults: readonly { readonly message: string; readonly line: number }[];
  /** Resolves when nothing is in progress any more. */
  settled(): Promise<void>;
  /** Ends continuous sampling. */
  end(): Promise<void>;
}

export function answerFlow(performance: FlowPerformance, send: (answer: Answer) => void): FlowAnswers {
  const { attempt } = performance;
  const later: CheckRecord[] = [];
  const faults: { message: string; line: number }[] = [];
  const watching: Throughout[] = [];
  const underWay = new Set<Promise<unknown>>();
  let opened: Promise<unknown> = Promise.resolve();
  const all = async (asks: readonly Ask[]): Promise<void> => {
    await opened;
    // Slow preparation comes first, so that all of them begin in the same turn.
    await Promise.all(
      asks.map((ask) => (ask.do === 'act' && hasDriver(ask.kind) ? loadDriver(ask.kind) : undefined)),
    );
    await Promise.all(
      asks.map(async (ask) => {
        const reply = await answerOne(performance, ask);
        send({ say: 'answer', id: ask.id, ...reply });
      }),
    );
  };
  const keep = (work: Promise<unknown>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  return {
    later,
    faults,
    begin: (watches) => {
      // The reason for a failure to open is reported by the observation.
      opened = Promise.allSettled(watches.map((kind) => attempt.watches.open(kind)));
      keep(opened);
    },
    answer: (asks) => keep(all(asks)),
    declare: (said) => {
      try {
        const check = declareCheck(performance, said);
        if (check?.mode === 'never' || check?.mode === 'throughout')
          watching.push(watchThroughout(attempt, [check]));
        else if (check) later.push(check);
      } catch (error) {
        faults.push({ message: `the check ${said.id}: ${mistakeIn(error)}`, line: said.line });
      }
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    end: async () => {
      await Promise.all(watching.map((one) => one.end()));
    },
  };
}

async function answerOne(performance: FlowPerformance, ask: Ask): Promise<Reply> {
  try {
    if (ask.do === 'act') return await doAct(performance, ask);
    if (ask.do === 'fetch') return { mistake: 'it is fetched by the flow itself' };
    return await (ask.do === 'look' ? lookOnce(performance, ask) : waitUntil(performance, ask));
  } catch (error) {
    return { mistake: mistakeIn(error) };
  }
}
