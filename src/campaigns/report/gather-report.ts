/** From run folders to what a report embeds: the index, and the evidence in compressed chunks. */
import { judgedBadly, type RunVerdict, type TrialVerdict } from '../../checks/verdict.ts';
import { counted, firstNames } from '../../kernel/counted.ts';
import { flakeLedger } from '../flakes/flake-ledger.ts';
import { readStoredRuns } from '../flakes/stored-runs.ts';
import { referenceFinder } from './find-reference.ts';
import { type Chunks, openChunks, packJson } from './pack-chunks.ts';
import { readBoots } from './read-boots.ts';
import { readEvidence } from './read-evidence.ts';
import type { ReportIndex } from './report-data.ts';
import { reportLimits } from './report-limits.ts';
import { type ReportSource, systemFolderOf } from './report-source.ts';

export interface ReportParts {
  readonly sources: readonly [ReportSource, ...ReportSource[]];
  /** Without secrets, as it is written. */
  readonly verdict: RunVerdict;
  /** Where the evidence of a trial is; the first source where it is absent. */
  readonly sourceOf?: (trial: string) => ReportSource | undefined;
  /** Bodies are embedded whole. */
  readonly isWhole?: true;
  readonly notes?: readonly string[];
}

export interface GatheredReport {
  /** Both as HTML holds them. */
  readonly index: string;
  readonly chunks: readonly string[];
}

export async function gatherReport(parts: ReportParts): Promise<GatheredReport> {
  const { sources, verdict } = parts;
  const history = historyOf(sources);
  const chunks = openChunks();
  const performed = verdict.trials.filter(({ folder }) => folder !== null);
  const bad = await packBad(parts, performed.filter(isBad), chunks, history.findReference);
  const passed = await packPassed(
    parts,
    performed.filter((trial) => !isBad(trial)),
    chunks,
  );
  const index: ReportIndex = {
    verdict,
    runs: sources.map(({ plan, shown }) => {
      const { run, startedAt, seed, variant, system } = plan;
      return { run, folder: shown, startedAt, seed, variant, system: system.name };
    }),
    boots: sources.flatMap(readBoots),
    requirements: (sources[0].plan.requirements?.requirements ?? []).map(({ id, title, text }) => ({
      id,
      ...(title === undefined ? {} : { title }),
      text,
    })),
    flakes: history.flakes,
    chunkOf: { ...bad.chunkOf, ...passed.chunkOf },
    notes: [...(parts.notes ?? []), ...bad.notes, ...passed.notes],
  };
  return { index: await packJson(JSON.stringify(index)), chunks: await chunks.all() };
}

/** Their evidence is embedded whole. */
function isBad({ verdict }: TrialVerdict): boolean {
  return verdict !== 'passed' && verdict !== 'skipped';
}

function historyOf(sources: readonly ReportSource[]) {
  const folder = sources.map(systemFolderOf).find((one) => one !== undefined);
  if (folder === undefined) return { flakes: [], findReference: async () => undefined };
  const stored = readStoredRuns(folder);
  const own = new Set(sources.map(({ plan }) => plan.run));
  const others = stored.runs.filter(({ run }) => !own.has(run));
  const odd = flakeLedger(stored).trials.filter(({ state }) => state !== 'steady');
  return { flakes: odd.slice(0, reportLimits.flakes), findReference: referenceFinder(folder, others) };
}

interface Packed {
  readonly chunkOf: ReportIndex['chunkOf'];
  readonly notes: readonly string[];
}

/** Each in a chunk of its own, with an attempt that passed to compare with. */
async function packBad(
  parts: ReportParts,
  trials: readonly TrialVerdict[],
  chunks: Chunks,
  findReference: ReturnType<typeof referenceFinder>,
): Promise<Packed> {
  const chunkOf: Record<string, number> = {};
  const without: string[] = [];
  const shortened: string[] = [];
  for (const { id, verdict } of trials) {
    if (chunks.bytes() > reportLimits.failedBytes) {
      without.push(id);
      continue;
    }
    const isCut = chunks.bytes() > reportLimits.wholeBytes;
    const mostBytes = parts.isWhole
      ? Number.POSITIVE_INFINITY
      : reportLimits[isCut ? 'passedBodyBytes' : 'failedBodyBytes'];
    const { attempts, passed, isPart } = await readEvidence(sourceOf(parts, id), id, mostBytes, true);
    if (isPart || isCut) shortened.push(id);
    const reference = judgedBadly(verdict) ? ((await findReference(id, mostBytes)) ?? passed) : undefined;
    chunkOf[id] = await chunks.add(`[${trialText(id, attempts, reference)}]`);
  }
  return {
    chunkOf,
    notes: [
      ...noteOn(shortened, 'Not all of the evidence is in this file, because it would be too large'),
      ...noteOn(without, 'Their evidence is not in this file, because it would be too large'),
    ],
  };
}

async function packPassed(
  parts: ReportParts,
  trials: readonly TrialVerdict[],
  chunks: Chunks,
): Promise<Packed> {
  await chunks.all();
  const before = chunks.bytes();
  const room = Math.max(reportLimits.allBytes - before, reportLimits.passedBytes);
  let mostBytes: number = parts.isWhole ? Number.POSITIVE_INFINITY : reportLimits.passedBodyBytes;
  const chunkOf: Record<string, number> = {};
  const without: string[] = [];
  let texts: string[] = [];
  let ids: string[] = [];
  let bytes = 0;
  let packed = 0;
  const flush = async (): Promise<void> => {
    if (ids.length === 0) return;
    const number = await chunks.add(`[${texts.join(',')}]`);
    for (const id of ids) chunkOf[id] = number;
    packed += ids.length;
    const expected = ((chunks.bytes() - before) / packed) * trials.length;
    if (expected > room && mostBytes > reportLimits.leastBodyBytes) mostBytes /= 2;
    [texts, ids, bytes] = [[], [], 0];
  };
  for (const { id } of trials) {
    if (chunks.bytes() - before > room) {
      without.push(id);
      continue;
    }
    const { attempts } = await readEvidence(sourceOf(parts, id), id, mostBytes, false);
    const text = trialText(id, attempts);
    ids.push(id);
    texts.push(text);
    bytes += text.length;
    if (bytes > reportLimits.chunkBytes) await flush();
  }
  await flush();
  return {
    chunkOf,
    notes: noteOn(
      without,
      'They passed, and their evidence is not in this file, because it would be too large',
    ),
  };
}

function sourceOf({ sources, sourceOf: find }: ReportParts, id: string): ReportSource {
  return find?.(id) ?? sources[0];
}

function trialText(id: string, attempts: readonly string[], reference?: string): string {
  const compared = reference === undefined ? '' : `,"reference":${reference}`;
  return `{"id":${JSON.stringify(id)},"attempts":[${attempts.join(',')}]${compared}}`;
}

const mostNamed = 3;

function noteOn(ids: readonly string[], what: string): readonly string[] {
  if (ids.length === 0) return [];
  return [`${what}; the run folder has it: ${counted(ids.length, 'trial')}, ${firstNames(ids, mostNamed)}`];
}
