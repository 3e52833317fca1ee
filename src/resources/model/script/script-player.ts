/** Plays a script: each call gets a line, and a call for which there is none is refused loudly. */
import type { ModelFault, PeerUnused } from '../../../journal/peer-event.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { defined } from '../../../kernel/defined.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { asText } from '../../../kernel/references.ts';
import { matchPattern } from '../../../patterns/match-pattern.ts';
import { MissingValue, ScriptValues } from '../../script-values.ts';
import { type Answered, addTo, type ModelCall, type ModelPlayer } from '../model-call.ts';
import { refuseCall, sayNo } from '../refuse-call.ts';
import type { ModelScript, RequestView, ScriptLine } from '../script-line.ts';
import { type KeptAnswers, keepMessages, keepResponses } from './kept-answers.ts';
import { type Choice, describeLine, onOneLine, openScript } from './open-script.ts';
import { answerQuestion, sendLine } from './send-line.ts';
import { unsayableArguments } from './unsayable-arguments.ts';

export interface ScriptPart {
  readonly script: ModelScript;
  readonly standing: ModelScript;
  readonly seed: string;
  /** What a real provider would refuse is refused. */
  readonly strict: boolean;
  readonly resource: string;
  readonly clock: Clock;
  emit(event: PeerUnused): void;
}

export function playScript(part: ScriptPart): ModelPlayer {
  const { script, standing, seed, strict, resource, clock, emit } = part;
  const values = new ScriptValues(clock);
  const lines = openScript(script, standing, values);
  const keepers = strict ? [keepResponses(), keepMessages()] : [];
  const keep: KeptAnswers['keep'] = (...answer) => {
    for (const keeper of keepers) keeper.keep(...answer);
  };
  const answer = (call: ModelCall): Answered => {
    if (isForLater(call)) return refuseCall(call, { kind: 'unscripted', what: notForLater });
    const [objection] = keepers.flatMap((keeper) => keeper.objectionTo(call) ?? []);
    if (objection !== undefined) return sayNo(call, objection, 'bad-history');
    const isQuestion = call.question !== undefined;
    const choice = lines.choose(call.caller, call.view, { isQuestion });
    if (choice.kind !== 'undecided') return say(call, choice);
    return values
      .wait(choice.waitsFor, call.reply.gone)
      .then(() => say(call, lines.choose(call.caller, call.view, { isLast: true, isQuestion })));
  };
  const say = (call: ModelCall, choice: Choice): Answered => {
    if (choice.kind === 'undecided') throw new Error('the last choice is always one');
    if (choice.kind === 'unscripted' && call.question) return answerQuestion(call, call.question);
    if (choice.kind !== 'line')
      return refuseCall(call, { kind: choice.kind, what: `no line of the script: ${choice.what}` });
    const { line, isTemplate } = choice;
    if (!isTemplate) return send(call, line, choice.number);
    return values.wait(line, call.reply.gone).then(() => fillAndSend(call, line, choice.number));
  };
  const fillAndSend = (call: ModelCall, line: ScriptLine, number?: number): Answered => {
    try {
      return send(call, fillLine(line, call.view(), values), number);
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      const title = number === undefined ? 'a standing line' : `line ${number}`;
      const what = `${title} (${describeLine(line)}) cannot be used: ${error.message}`;
      return { ...defined({ line: number }), ...refuseCall(call, { kind: 'unscripted', what }) };
    }
  };
  const send = (call: ModelCall, line: ScriptLine, number?: number): Answered => {
    const unsayable = unsayableArguments(call, line);
    if (unsayable !== undefined)
      return { ...defined({ line: number }), ...refuseCall(call, { kind: 'unscripted', what: unsayable }) };
    const fault = speaksAgainst(call, line);
    const own = `${seed}/${call.caller}/${call.number}`;
    const rest = defined({ line: number, fault });
    return addTo(sendLine(call, line, { clock, seed: own, keep }), (outcome) => ({ ...rest, ...outcome }));
  };
  return {
    answer,
    learn: (gave) => values.learn(gave),
    unused: () => lines.owed(),
    settle: async () => {
      for (const unused of lines.unused()) emit({ type: 'peer.unused', resource, ...unused });
    },
  };
}

/** A queued answer is fetched from an address that is not served here. */
function isForLater({ dialect, json }: ModelCall): boolean {
  return dialect.name === 'openai-responses' && isMap(json) && json.background === true;
}

const notForLater =
  '`background: true` asks for an answer that is fetched later, which is not played; ask without it';

/** What is wrong with the request, or with the line for this request. It is still answered. */
function speaksAgainst({ request, view }: ModelCall, { expect, calls }: ScriptLine): ModelFault | undefined {
  if (expect !== undefined) {
    const result = matchPattern(expect, view());
    if (!result.matched) return { kind: 'unexpected-request', what: `the line ${onOneLine(result)}` };
  }
  const offered = request.tools.map(({ name }) => name);
  const unknown = calls?.find(({ name }) => !offered.includes(name) && !request.mayOfferMore);
  if (unknown === undefined) return undefined;
  const what = `the script calls ${unknown.name}, which the request does not offer; it offers ${offered.join(', ') || 'no tools'}`;
  return { kind: 'unknown-tool', what };
}

/** Throws a `MissingValue`. `says` becomes a text, whatever type the value has; arguments keep their types. */
function fillLine(line: ScriptLine, view: RequestView, values: ScriptValues): ScriptLine {
  const { when: _when, expect, ...said } = line;
  const { calls, error, ...rest } = values.fill(said, view);
  return {
    ...withTexts(rest, ['says', 'reasons', 'hides', 'refuses']),
    ...(calls === undefined ? {} : { calls: calls.map((call) => withTexts(call, ['name', 'id', 'raw'])) }),
    ...(error === undefined ? {} : { error: errorWithTexts(error) }),
    ...(expect === undefined ? {} : { expect: values.fillPattern(expect, view) }),
  };
}

function errorWithTexts(error: NonNullable<ScriptLine['error']>): NonNullable<ScriptLine['error']> {
  const { headers, ...rest } = withTexts(error, ['message', 'text', 'retryAfter']);
  return headers === undefined ? rest : { ...rest, headers: withTexts(headers, Object.keys(headers)) };
}

function withTexts<Part extends object>(part: Part, keys: readonly string[]): Part {
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    keys.includes(key) ? asText(value) : value,
  ]);
  return Object.fromEntries(entries) as Part;
}
