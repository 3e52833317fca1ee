/** The flow's side of the channel to its performer. */
import type { Answer, FlowRequest, FromFlow } from '../flow-message.ts';
import { StepFailed } from './step-failed.ts';

export type Answered = Extract<Answer, { readonly value: unknown }>;

/** A call of the context in the code of the flow. */
export interface FlowCall {
  readonly line: number;
  readonly stack: string | undefined;
}

interface Waiting {
  readonly line: number;
  resolve(answer: Answered): void;
  reject(error: Error): void;
}

export function openPerformerLine(deliver: (message: FromFlow) => void) {
  let isClosed = false;
  const send = (message: FromFlow): void => {
    if (!isClosed) deliver(message);
  };
  const waiting = new Map<number, Waiting>();
  let held: Extract<FromFlow, { say: 'asks' }>['asks'][number][] | undefined;
  let last = 0;
  return {
    notify: send,
    /** Nothing more is sent. */
    close: (): void => {
      isClosed = true;
    },
    /** Rejects, with the stack of the call, when the request failed. */
    ask: (request: FlowRequest, { line, stack }: FlowCall): Promise<Answered> => {
      last += 1;
      const ask = { id: last, line, ...request };
      const answer = new Promise<Answered>((resolve, reject) => {
        waiting.set(ask.id, {
          line,
          resolve,
          reject: (error) => reject(Object.assign(error, { stack })),
        });
      });
      if (held) held.push(ask);
      else send({ say: 'asks', asks: [ask] });
      return answer;
    },
    answered: (answer: Answer): void => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('fault' in answer) asked?.reject(new StepFailed(answer.fault));
      else if ('mistake' in answer) asked?.reject(new TypeError(answer.mistake));
      else asked?.resolve(answer);
    },
    /** All requests made while this runs are sent as one message, and begin together. */
    asOne: (begin: () => void): void => {
      const outer = held;
      const asks: NonNullable<typeof held> = outer ?? [];
      held = asks;
      try {
        begin();
      } finally {
        held = outer;
        if (!outer && asks.length > 0) send({ say: 'asks', asks });
      }
    },
    /** The line of a request that is not answered yet. */
    unanswered: (): readonly number[] => [...waiting.values()].map(({ line }) => line),
  };
}

export type PerformerLine = ReturnType<typeof openPerformerLine>;
