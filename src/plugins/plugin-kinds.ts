/** Turns the description of a plugin into kinds like our own, and adds them to the tables. */
import { addCheckKinds } from '../kinds/check-kinds.ts';
import type { CheckKind } from '../kinds/kind/check-kind.ts';
import type { ActOptions } from '../kinds/kind/flow-method.ts';
import { type Spec, type StepKind, serviceTarget } from '../kinds/kind/step-kind.ts';
import { addStepKinds } from '../kinds/step-kinds.ts';
import type { KindDescription, PluginDescription } from './description.ts';

export function addPluginKinds(descriptions: readonly PluginDescription[]): void {
  for (const description of descriptions) {
    addStepKinds(stepKindsOf(description));
    addCheckKinds(checkKindsOf(description));
  }
}

function stepKindsOf({ steps = {} }: PluginDescription): Record<string, StepKind> {
  return mapValues(steps, (described, key) => ({
    driver: key,
    ...targetOf(described),
    isForeign: true,
    toDriver: (spec) => ({ step: spec }),
    evidence: described.evidence
      ? {
          fields: described.evidence,
          ...(described.outcome === undefined ? {} : { outcome: { field: described.outcome } }),
        }
      : 'any',
    flow: ({ act }) => ({
      [key]: async (named: unknown, options?: ActOptions) => act({ [key]: named }, options),
    }),
  }));
}

function checkKindsOf({ checks = {} }: PluginDescription): Record<string, CheckKind> {
  return mapValues(checks, (described, key) => {
    const { gives, evidence, comparesWithBefore } = described;
    return {
      gives,
      ...(gives === 'list' ? { needsProof: true } : {}),
      query: (named, own) => ({ [key]: named, ...own }),
      source: (query) => sourceOf(key, query),
      ...targetOf(described),
      ...(described.target ? { parties: (query: Spec) => [serviceTarget(String(query[key])).name] } : {}),
      ...(evidence ? { fields: () => evidence } : {}),
      ...(comparesWithBefore ? { comparesWithBefore } : {}),
      flow: (named: unknown, options: Spec = {}) => ({ [key]: named, ...options }),
    };
  });
}

function targetOf({ target: kind }: KindDescription): Pick<StepKind, 'target' | 'needsListener'> {
  return kind === 'service' ? { target: serviceTarget, needsListener: true } : {};
}

/** Two checks with the same source observe the same thing; `where` only selects from it. */
function sourceOf(key: string, query: Spec): string {
  const { [key]: named, where: _where, ...own } = query;
  const rest = Object.keys(own).length === 0 ? '' : ` ${JSON.stringify(own)}`;
  return `${key} ${typeof named === 'string' ? named : JSON.stringify(named)}${rest}`;
}

function mapValues<Value, Made>(
  map: Readonly<Record<string, Value>>,
  make: (value: Value, key: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, make(value, key)]));
}
