/** The event pipeline: what was sensed is reasoned about, then acted on and written down. */
import type { Parts } from '../parts.ts';
import { keyword, type Printable } from '../wire/sexp.ts';
import { askProviders } from './ask-providers.ts';
import type { Stimulus } from './sense.ts';

export interface Decision {
  readonly text: string;
  readonly skill: string | null;
  readonly provider: string | null;
  readonly degraded: boolean;
}

/** The payload of the answer, or undefined where none is due. What is answered has been written down before. */
export async function takeStimulus(stimulus: Stimulus, parts: Parts): Promise<Printable | undefined> {
  if (stimulus.sensor === 'heartbeat') {
    parts.heart.beat(stimulus, parts);
    return undefined;
  }
  const decision = await reason(stimulus, parts);
  return act(stimulus, decision, parts);
}

async function reason({ text }: Stimulus, parts: Parts): Promise<Decision> {
  const skill = parts.skills.find(text);
  const instruction = skill?.instruction ?? 'Answer in one sentence.';
  const thought = await askProviders(parts.providers, { instruction, text });
  parts.condition.providersAnswer = thought !== undefined;
  if (!thought) return parts.degrade(text);
  return { text: thought.text, skill: skill?.name ?? null, provider: thought.provider, degraded: false };
}

/** Without any provider a rule answers, and the answer says that it is no more than that. */
export function degrade(text: string): Decision {
  return { text: `I cannot think right now. I heard: ${text}`, skill: null, provider: null, degraded: true };
}

function act(stimulus: Stimulus, decision: Decision, parts: Parts): Printable {
  const { provider, skill, degraded } = decision;
  parts.events.write({ ...stimulus, outcome: degraded ? 'degraded' : 'answered', provider, skill });
  return {
    ACTION: keyword('reply'),
    TEXT: decision.text,
    PROVIDER: provider,
    SKILL: skill,
    DEGRADED: degraded,
  };
}
