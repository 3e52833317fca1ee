/** Finds a part of a trial: in its own file, in a fragment, or in the trial whose script it uses. */
import type { TrialPart } from '../trial.ts';
import type { BuiltStaging } from './build-staging.ts';
import type { Placed } from './placed.ts';

export interface PlacedParts {
  readonly steps: readonly { readonly name: string; readonly placed: Placed<unknown> }[];
  readonly judged: readonly { readonly check: { readonly id: string }; readonly placed: Placed<unknown> }[];
  readonly staging: BuiltStaging;
}

/** Undefined for a part without a position of its own. */
export function placeOf(
  part: TrialPart,
  { steps, judged, staging }: PlacedParts,
): Placed<unknown> | undefined {
  if (typeof part === 'string') return undefined;
  if ('step' in part) return steps.find(({ name }) => name === part.step)?.placed;
  if ('check' in part) return judged.find(({ check }) => check.id === part.check)?.placed;
  if (!('script' in part)) return undefined;
  const { resource, caller, index } = part.script;
  const found = staging.places.find((place) => place.resource === resource && place.caller === caller);
  return found && { ...found.lines, path: [...found.lines.path, index] };
}
