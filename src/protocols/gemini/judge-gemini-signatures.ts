/** The signatures of thoughts that Gemini wants back with the calls that they led to. */
import { createFoldNotes, shownValue } from '../turn/fold-notes.ts';
import { isSealOfBytes, sealRule } from '../turn/seal.ts';
import type { WireFault } from '../turn/turn.ts';
import { turnsOf } from './judge-gemini-history.ts';
import { type Content, field } from './read-gemini-contents.ts';

/** Google gives them out for histories that come from elsewhere. */
const wildcards: readonly string[] = [
  'context_engineering_is_the_way_to_go',
  'skip_thought_signature_validator',
];

/** As they are, or as bytes, which its SDKs write as base64. */
function isWildcard(signature: unknown): boolean {
  if (typeof signature !== 'string') return false;
  return [signature, Buffer.from(signature, 'base64').toString()].some((text) => wildcards.includes(text));
}

/** From the third generation on, the first call of each step since the user last spoke must have one. */
export function judgeGeminiSignatures(contents: readonly Content[], model: string): readonly WireFault[] {
  const notes = createFoldNotes();
  const turns = turnsOf(contents);
  const asked = turns.findLastIndex(({ role, parts }) => role === 'user' && parts.some(({ text }) => text));
  const mustHave = /gemini-(?:[3-9]|\d\d)/.test(model);
  for (const [at, { parts, path }] of turns.entries()) {
    const call = parts.find((part) => field(part, 'functionCall') !== undefined);
    if (mustHave && at > asked && call !== undefined && field(call, 'thoughtSignature') === undefined)
      notes.fault(
        'gemini.no-signature',
        `Function call is missing a thought_signature in functionCall parts of \`${path}\`. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.`,
      );
    for (const part of parts) {
      const signature = field(part, 'thoughtSignature');
      if (signature !== undefined && !isWildcard(signature) && !isSealOfBytes(signature))
        notes.fault(
          `gemini${sealRule}`,
          `Corrupted thought signature. \`${path}\` has ${shownValue(signature)}`,
        );
    }
  }
  return notes.faults;
}
