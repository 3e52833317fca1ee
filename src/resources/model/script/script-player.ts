/** Plays a script: each call gets a line, and a call for which there is none is refused loudly. */
import type { ModelFault, PeerUnused } from '../../../journal/peer-event.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { matchPattern } from '../../../patterns/match-pattern.ts';
import type { CallOutcome, ModelCall, ModelPlayer } from '../model-call.ts';
import { refuseCall } from '../refuse-call.ts';
import type { ModelScript, ScriptLine } from '../script-line.ts';
import { onOneLine, openScript } from './open-script.ts';
import { tellLine } from './tell-line.ts';

export interface ScriptPart {
  readonly script: ModelScript;
  readonly standing: ModelScript;
  readonly seed: string;
  readonly resource: string;
  readonly clock: Clock;
  emit(event: PeerUnused): void;
}

export function playScript({ script, standing, seed, resource, clock, emit }: ScriptPart): ModelPlayer {
  const lines = openScript(script, standing);
  const answer = (call: ModelCall): CallOutcome | Promise<CallOutcome> => {
    const choice = lines.choose(call.caller, call.view);
    if (choice.kind !== 'line')
      return refuseCall(call, { kind: choice.kind, what: `no line of the script: ${choice.what}` });
    const { line, number } = choice;
    const fault = speaksAgainst(call, line);
    const told = tellLine(call, line, { clock, seed: `${seed}/${call.caller}/${call.number}` });
    const rest = {
      ...(number === undefined ? {} : { line: number }),
      ...(fault === undefined ? {} : { fault }),
    };
    return told instanceof Promise ? told.then((outcome) => ({ ...rest, ...outcome })) : { ...rest, ...told };
  };
  return {
    answer,
    settle: async () => {
      for (const unused of lines.unused()) emit({ type: 'peer.unused', resource, ...unused });
    },
  };
}

/** What is wrong with the request, or with the line for this request. It is answered nevertheless. */
function speaksAgainst({ request, view }: ModelCall, { expect, calls }: ScriptLine): ModelFault | undefined {
  if (expect !== undefined) {
    const result = matchPattern(expect, view());
    if (!result.matched) return { kind: 'unexpected-request', what: `the line ${onOneLine(result)}` };
  }
  const offered = request.tools.map(({ name }) => name);
  const unknown = calls?.find(({ name }) => !offered.includes(name));
  if (unknown === undefined) return undefined;
  const what = `the script calls ${unknown.name}, which the request does not offer; it offers ${offered.join(', ') || 'no tools'}`;
  return { kind: 'unknown-tool', what };
}
