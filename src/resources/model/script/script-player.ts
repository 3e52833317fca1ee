/** Plays a script: each call gets a line, and a call for which there is none is refused loudly. */
import type { ModelFault, PeerUnused } from '../../../journal/peer-event.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { matchPattern } from '../../../patterns/match-pattern.ts';
import { isMap } from '../../../protocols/json-rpc/is-map.ts';
import { MissingValue, ScriptValues } from '../../script-values.ts';
import type { CallOutcome, ModelCall, ModelPlayer } from '../model-call.ts';
import { refuseCall, sayNo } from '../refuse-call.ts';
import type { ModelScript, ScriptLine } from '../script-line.ts';
import { answerQuestion } from './answer-question.ts';
import { describeLine } from './describe-line.ts';
import { fillLine } from './fill-line.ts';
import { keepMessages } from './keep-messages.ts';
import { keepResponses } from './keep-responses.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { type Choice, onOneLine, openScript } from './open-script.ts';
import { tellLine } from './tell-line.ts';

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
  const answer = (call: ModelCall): CallOutcome | Promise<CallOutcome> => {
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
  const say = (call: ModelCall, choice: Choice): CallOutcome | Promise<CallOutcome> => {
    if (choice.kind === 'undecided') throw new Error('the last choice is always one');
    if (choice.kind === 'unscripted' && call.question) return answerQuestion(call, call.question);
    if (choice.kind !== 'line')
      return refuseCall(call, { kind: choice.kind, what: `no line of the script: ${choice.what}` });
    const { line, isTemplate } = choice;
    if (!isTemplate) return tell(call, line, choice.number);
    return values.wait(line, call.reply.gone).then(() => fillAndTell(call, line, choice.number));
  };
  const fillAndTell = (
    call: ModelCall,
    line: ScriptLine,
    number: number | undefined,
  ): ReturnType<typeof tell> => {
    try {
      return tell(call, fillLine(line, call.view(), values), number);
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      const title = number === undefined ? 'a standing line' : `line ${number}`;
      const what = `${title} (${describeLine(line)}) cannot be told: ${error.message}`;
      return { ...lineOf(number), ...refuseCall(call, { kind: 'unscripted', what }) };
    }
  };
  const tell = (
    call: ModelCall,
    line: ScriptLine,
    number: number | undefined,
  ): CallOutcome | Promise<CallOutcome> => {
    const fault = speaksAgainst(call, line);
    const own = `${seed}/${call.caller}/${call.number}`;
    const told = tellLine(call, line, { clock, seed: own, keep });
    const rest = { ...lineOf(number), ...(fault === undefined ? {} : { fault }) };
    return told instanceof Promise ? told.then((outcome) => ({ ...rest, ...outcome })) : { ...rest, ...told };
  };
  return {
    answer,
    learn: (gave) => values.learn(gave),
    settle: async () => {
      for (const unused of lines.unused()) emit({ type: 'peer.unused', resource, ...unused });
    },
  };
}

/** An answer that is queued is fetched from an address that nobody plays. */
function isForLater({ dialect, json }: ModelCall): boolean {
  return dialect.name === 'openai-responses' && isMap(json) && json.background === true;
}

const notForLater =
  '`background: true` asks for an answer that is fetched later, which is not played; ask without it';

function lineOf(number: number | undefined): Pick<CallOutcome, 'line'> {
  return number === undefined ? {} : { line: number };
}

/** What is wrong with the request, or with the line for this request. It is answered nevertheless. */
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
