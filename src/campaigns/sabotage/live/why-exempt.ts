/** Why a trial that stays green under a mutant is not a finding: the failure of that service is its subject. Pure. */

import { partyIn } from '../../../kernel/edge-name.ts';
import { shapeOf } from '../../../protocols/shapes/shape-table.ts';
import type { Trial } from '../../../trials/trial.ts';

/** Undefined where it is to be tried. */
export function whyExempt({ record, steps, disturbs, scripts }: Trial, service: string): string | undefined {
  if (record.expectedFailure) return 'it is expected to fail';
  const disturbed = disturbs.find(({ to }) => partyIn(to) === service);
  if (disturbed) return `it disturbs ${disturbed.from} -> ${disturbed.to} itself`;
  const acted = steps.find(({ kind, spec }) => ending.has(kind) && spec[kind] === service);
  if (acted) return `it does \`${acted.kind}: ${service}\` itself`;
  return letsFail(scripts[service]) ? `its script makes ${service} fail` : undefined;
}

const ending = new Set<string>(['stop', 'kill', 'restart']);

/** Script lines of a third party, or lines of a model by caller. */
function letsFail(script: unknown): boolean {
  const lines = Array.isArray(script) ? script : Object.values(script ?? {}).flat();
  return lines.some((line: ScriptLine) => isFailure(line) || isFailure(line.answer ?? {}));
}

type ScriptLine = Failing & { readonly answer?: Failing };

type Failing = { readonly [Key in 'error' | 'hangs' | 'shape' | 'instead' | 'status']?: unknown };

/** An error or no answer, an error status, or an invalid shape. */
function isFailure({ error, hangs, shape, instead, status }: Failing): boolean {
  return (
    [error, hangs, instead].some((failure) => failure !== undefined) ||
    Number(status) >= 400 ||
    (typeof shape === 'string' && !isLegal(shape))
  );
}

/** Unknown shapes are reported when the trial is read. */
function isLegal(shape: string): boolean {
  return (shapeOf(shape)?.tier ?? '2') === '2';
}
