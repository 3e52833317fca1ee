/** A question other than a turn, whose answer follows from the request alone: vectors for texts, a count of tokens. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { Dialect, ModelRequest } from '../turn/dialect.ts';
import type { JsonObject, Usage } from '../turn/turn.ts';

/** Keys, errors and headers are those of the dialect whose name it has. */
export interface Question extends Dialect {
  readonly asks: 'embedding' | 'count';
  printAnswer(asked: AskedQuestion): JsonObject;
}

export interface AskedQuestion {
  readonly body: unknown;
  readonly request: ModelRequest;
  /** Of the whole input. */
  readonly tokens: number;
  /** In place of those that follow from the texts; repeated where there are fewer. */
  readonly vectors?: readonly (readonly number[])[] | undefined;
}

type QuestionOf = Pick<Question, 'asks' | 'route' | 'readRequest' | 'printAnswer'> & {
  /** What the answer of a real one says that it took. */
  readonly readUsage: (body: JsonMap) => Usage | null;
};

export function questionOf(dialect: Dialect, { readUsage, ...question }: QuestionOf): Question {
  return {
    ...dialect,
    ...question,
    foldBody: (body, status) => {
      if (status >= 400 || !isMap(body)) return dialect.foldBody(body, status);
      const { name } = dialect;
      const model = typeof body.model === 'string' ? { model: body.model } : {};
      const whole = { streamed: false, complete: true, parts: [], stop: null, faults: [], oddities: [] };
      return { dialect: name, ...whole, ...model, usage: readUsage(body) };
    },
  };
}

/** What every request of this kind has. */
export function plainQuestion(model: string | null, texts: readonly string[]): ModelRequest {
  return {
    model,
    stream: false,
    wantsUsage: true,
    system: '',
    messages: texts.map((text) => ({ role: 'user', text, calls: [], results: [] })),
    tools: [],
    maxTokens: 0,
    faults: [],
    historyFaults: [],
  };
}
