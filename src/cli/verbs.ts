/** The verbs, each loaded only when it is called. */
import type { Verb } from './call/verb.ts';

const loaders: Readonly<Record<string, () => Promise<Verb>>> = {
  init: async () => (await import('./verbs/init.ts')).init,
  up: async () => (await import('./verbs/up.ts')).up,
  down: async () => (await import('./verbs/down.ts')).down,
  run: async () => (await import('./verbs/run.ts')).run,
  report: async () => (await import('./verbs/report.ts')).report,
  doctor: async () => (await import('./verbs/doctor.ts')).doctor,
  lint: async () => (await import('./verbs/lint.ts')).lint,
  status: async () => (await import('./verbs/status.ts')).status,
  rows: async () => (await import('./verbs/rows.ts')).rows,
  logs: async () => (await import('./verbs/logs.ts')).logs,
  rerun: async () => (await import('./verbs/rerun.ts')).rerun,
  record: async () => (await import('./verbs/record.ts')).record,
  judge: async () => (await import('./verbs/judge.ts')).judge,
  sabotage: async () => (await import('./verbs/sabotage.ts')).sabotage,
  coverage: async () => (await import('./verbs/coverage.ts')).coverage,
  conformance: async () => (await import('./verbs/conformance.ts')).conformance,
  mcp: async () => (await import('./verbs/mcp.ts')).mcp,
  shapes: async () => (await import('./verbs/shapes.ts')).shapes,
};

export const verbNames: readonly string[] = Object.keys(loaders);

/** Planned verbs that this version does not have. */
export const laterVerbs: readonly string[] = ['parity', 'attack', 'chaos', 'load', 'worker'];

export async function findVerb(name: string): Promise<Verb | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;
}
