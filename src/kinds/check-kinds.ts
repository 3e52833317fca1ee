/** Every kind of check that observes a source, by its key, in lookup order. */
import { callsCheck } from './calls/check.ts';
import { changesCheck } from './changes/check.ts';
import { commandCheck } from './command/check.ts';
import { eventsCheck } from './events/check.ts';
import { exchangeCheck } from './exchange/check.ts';
import { filesCheck } from './files/check.ts';
import type { CheckKind } from './kind/check-kind.ts';
import type { Field } from './kind/evidence.ts';
import { logsCheck } from './logs/check.ts';
import { processCheck } from './process/check.ts';
import { redisCheck } from './redis/check.ts';
import { rowsCheck } from './rows/check.ts';
import { spansCheck } from './spans/check.ts';
import { stepField, stepFields } from './step-kinds.ts';

const ours: Readonly<Record<string, CheckKind>> = {
  exchange: { ...exchangeCheck, fields: stepFields },
  calls: callsCheck,
  rows: rowsCheck,
  redis: redisCheck,
  files: filesCheck,
  logs: logsCheck,
  events: eventsCheck,
  process: processCheck,
  command: commandCheck,
  spans: spansCheck,
  changes: changesCheck,
};

/** Ours, and those of the plugins of this config. */
export const checkKinds: Record<string, CheckKind> = { ...ours };

/** Never replaces one of ours. */
export function addCheckKinds(added: Readonly<Record<string, CheckKind>>): void {
  Object.assign(checkKinds, added, ours);
}

/** Undefined for checks over the whole journal, and for values of flows. */
export function checkKind(key: string): CheckKind | undefined {
  return Object.hasOwn(checkKinds, key) ? checkKinds[key] : undefined;
}

/** A field of the observed value or of its elements, where we define it. */
/** What is defined of a place in what is observed, however deep: `[0].markdown.headings[2].level`. */
export function fieldAt(kind: string, keys: readonly (string | number)[]): Field | undefined {
  const [first, ...inner] = keys.filter((key) => typeof key === 'string' && key !== 'answers');
  return inner.reduce<Field | undefined>(
    (field, key) => field?.fields?.[key],
    first === undefined ? undefined : fieldNamed(kind, String(first)),
  );
}

export function fieldNamed(kind: string, name: string): Field | undefined {
  // A plugin that does not say what its steps give leaves the fields of the others known.
  if (kind === 'exchange') return stepField(name);
  const fields = checkKind(kind)?.fields?.();
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
}
