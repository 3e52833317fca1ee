/** The event pipeline: a stimulus is reasoned about, then acted on and recorded. */
import type { Parts } from '../parts.ts';
import type { Tokens } from '../providers/provider.ts';
import { keyword, type Printable } from '../wire/sexp.ts';
import type { Stimulus } from './sense.ts';

export interface Decision {
  readonly text: string;
  readonly skill: string | null;
  readonly provider: string | null;
  /** The cost that the provider reports. */
  readonly tokens: Tokens | null;
  readonly degraded: boolean;
}

/** The answer, or undefined where none is due. The event is recorded before the answer is sent. */
export async function takeStimulus(stimulus: Stimulus, parts: Parts): Promise<Decision | undefined> {
  if (stimulus.sensor === 'heartbeat') {
    parts.heart.beat(stimulus, parts);
    return undefined;
  }
  const decision = await reason(stimulus, parts);
  const { text: answer, provider, skill, tokens, degraded } = decision;
  const outcome = degraded ? 'degraded' : 'answered';
  parts.events.write({ ...stimulus, outcome, answer, provider, skill, tokens });
  return decision;
}

async function reason({ text }: Stimulus, parts: Parts): Promise<Decision> {
  const skill = parts.skills.find(text);
  const instruction = skill?.instruction ?? 'Answer in one sentence.';
  const thought = await parts.think({ instruction, text }, parts);
  parts.condition.providersAnswer = thought !== undefined;
  if (!thought) return parts.degrade(text);
  return { ...thought, skill: skill?.name ?? null, degraded: false };
}

/** Without any provider a rule answers, and the answer is marked as degraded. */
export function degrade(text: string): Decision {
  return {
    text: `I cannot think right now. I heard: ${text}`,
    skill: null,
    provider: null,
    tokens: null,
    degraded: true,
  };
}

export function replyPayload({ text, provider, skill, degraded }: Decision): Printable {
  return { ACTION: keyword('reply'), TEXT: text, PROVIDER: provider, SKILL: skill, DEGRADED: degraded };
}
