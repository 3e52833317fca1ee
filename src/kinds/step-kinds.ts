/** Every kind of step by its key, in lookup order. */
import { commandStep } from './command/step.ts';
import { httpStep } from './http/step.ts';
import { type Field, type Fields, measured, type Outcome, requested, system } from './kind/evidence.ts';
import type { StepKind } from './kind/step-kind.ts';
import { mcpStep } from './mcp/step.ts';
import { onStep } from './on/step.ts';
import { quietEvidence, quietFlow } from './quiet/flow.ts';
import { killStep, pauseStep, restartStep, resumeStep, startStep, stopStep } from './service/step.ts';
import { tcpStep } from './tcp/step.ts';

const ours: Readonly<Record<string, StepKind>> = {
  http: httpStep,
  tcp: tcpStep,
  on: onStep,
  mcp: mcpStep,
  command: commandStep,
  restart: restartStep,
  stop: stopStep,
  start: startStep,
  kill: killStep,
  pause: pauseStep,
  resume: resumeStep,
  quiet: { onlyWaits: true, evidence: quietEvidence, flow: quietFlow },
  until: { onlyWaits: true, evidence: { fields: { reached: requested, last: system } } },
  use: {},
};

export const ourStepKeys: readonly string[] = Object.keys(ours);

/** Ours, and those of the plugins of this config. */
export const stepKinds: Record<string, StepKind> = { ...ours };

/** Never replaces one of ours. */
export function addStepKinds(added: Readonly<Record<string, StepKind>>): void {
  Object.assign(stepKinds, added, ours);
}

/** The fields that the evidence of a step can have; undefined where a plugin does not say which it gives. */
export function stepFields(): Fields | undefined {
  const all = Object.values(stepKinds).map(({ evidence }) => evidence);
  if (all.includes('any')) return undefined;
  return Object.assign({}, ofEveryStep, ...all.map((one) => (typeof one === 'object' ? one.fields : {})));
}

const ofEveryStep: Fields = {
  error: { ...system, type: 'object', isRare: true, isOptional: true },
  answers: { ...system, isWireList: true, isOurList: true },
  durationMs: measured,
};

/** Whether a step of this kind can have the field; true where a plugin does not say which it gives. */
export function canGive(key: string, name: string): boolean {
  const { evidence, continues } = stepKind(key);
  // Acts on what another step has opened give what that step gives.
  if (continues) return Object.keys(stepKinds).some((one) => stepKinds[one]?.opens && canGive(one, name));
  if (evidence === undefined || evidence === 'any') return true;
  return Object.hasOwn(ofEveryStep, name) || Object.hasOwn(evidence.fields, name);
}

export function stepField(name: string): Field | undefined {
  const evidence = Object.values(stepKinds).flatMap((kind) =>
    typeof kind.evidence === 'object' ? [kind.evidence] : [],
  );
  return [{ fields: ofEveryStep }, ...evidence].find(({ fields }) => Object.hasOwn(fields, name))?.fields[
    name
  ];
}

/** The fields that say how a step went. */
export function stepOutcomes(): readonly Outcome[] {
  return Object.values(stepKinds).flatMap(({ evidence }) =>
    typeof evidence === 'object' && evidence.outcome ? [evidence.outcome] : [],
  );
}

/** The drivers, as the policy of a suite names them. */
export function driverNames(): readonly string[] {
  return [
    ...new Set(Object.values(stepKinds).flatMap(({ driver }) => (driver === undefined ? [] : [driver]))),
  ];
}

export function stepKind(key: string): StepKind {
  return stepKinds[key] ?? {};
}

export function stepKeyIn(written: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(stepKinds).find((key) => Object.hasOwn(written, key));
}
