/** Reads the flows of files without performing them: each file is imported in a process of its own, a few at a time. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { TrialRecord } from '../../checks/trial-record.ts';
import { systemClock } from '../../kernel/clock.ts';
import { Problems, problemsIn } from '../../kernel/problem.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import { readText } from '../../system/source/read-text.ts';
import type { System } from '../../system/system.ts';
import { type FlowDocument, flowDocument } from '../document/flow-document.ts';
import { type BuiltStaging, buildStaging, findStaging } from '../read/build-staging.ts';
import { placeOf } from '../read/place-of.ts';
import type { KnownSystem } from '../read/read-trial-file.ts';
import { recordOfDisturb } from '../read/record-of-disturb.ts';
import { judgedOptions, performedOptions } from '../read/trial-options.ts';
import type { Trial } from '../trial.ts';
import { flowLimits } from './flow-limits.ts';
import type { FoundFlow } from './flow-message.ts';
import { flowSource } from './flow-source.ts';
import { listFlows } from './list-flows.ts';
import { noFlow, optionProblems } from './option-problems.ts';

/** At most so many processes at once, whoever asks. */
export function flowReader(known: KnownSystem): (file: string) => Promise<readonly Trial[]> {
  const lanes: Promise<unknown>[] = Array.from({ length: flowLimits.readers }, () => Promise.resolve());
  let next = 0;
  return (file) => {
    const lane = next % flowLimits.readers;
    next += 1;
    const reading = (lanes[lane] as Promise<unknown>).then(() => readFlowFile(file, known));
    lanes[lane] = reading.catch(() => 'told to whoever asked for it');
    return reading;
  };
}

async function readFlowFile(file: string, known: KnownSystem): Promise<readonly Trial[]> {
  const { system } = known;
  const text = await readText(file, {
    noun: 'flow file',
    absent: 'trial.unreadable',
    unreadable: 'trial.unreadable',
  });
  const flows = await listFlows(file, { folder: system.folder, clock: systemClock });
  if (flows.length === 0) throw noFlow(file);
  const placed = flows.map((flow) => ({ flow, source: flowSource(file, text, flow) }));
  const staged = await Promise.all(placed.map(({ flow, source }) => stage(flow, source, file, known)));
  const problems = [
    ...placed.flatMap(({ flow, source }) => optionProblems(flow, source, system)),
    ...staged.flatMap((staging) => staging.problems),
  ];
  if (problems.length > 0) throw new Problems(sortProblems(problems));
  return placed.map(({ flow, source }, index) => ({
    ...toTrial(flow, index, file, system, staged[index] as BuiltStaging, writtenHash(text)),
    whereIs: (part) => {
      const placed = placeOf(part, { steps: [], judged: [], staging: staged[index] as BuiltStaging });
      if (placed) return placed.source.keyPosition(placed.path);
      return source.valuePosition([part === 'attacks' ? 'attacks' : 'id']);
    },
  }));
}

/** What the flows of a file do, and check: another text, another trial. */
function writtenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function stage(
  { options }: FoundFlow,
  source: ConfigSource,
  file: string,
  known: KnownSystem,
): Promise<BuiltStaging> {
  const document = (options ?? {}) as FlowDocument;
  const sound = stagedOptions.safeParse(document);
  // What is wrong with its form is told already.
  if (!sound.success) return nothingStaged;
  try {
    const parts = await findStaging(document, { value: document, source, path: [] }, path.dirname(file));
    const steps = [...source.text.matchAll(/\bas:\s*(['"`])([\w-]+)\1/g)].map(([, , name = '']) => name);
    return buildStaging(parts, {}, { system: known.system, steps, later: [], hasCases: false }, known);
  } catch (error) {
    return { ...nothingStaged, problems: problemsIn(error) };
  }
}

const stagedOptions = flowDocument.pick({ model: true, peers: true, disturb: true }).strip();
const nothingStaged: BuiltStaging = { scripts: {}, awaits: [], disturbs: [], places: [], problems: [] };

function toTrial(
  { title, options, line }: FoundFlow,
  index: number,
  file: string,
  system: System,
  { scripts, awaits, disturbs }: BuiltStaging,
  written: string,
): Trial {
  const document = (options ?? {}) as FlowDocument;
  const { id } = document;
  const record: TrialRecord = {
    id,
    title: String(title),
    file: path.relative(system.folder, file),
    line,
    kind: 'flow',
    written,
    ...judgedOptions(document, system),
    ...(disturbs.length === 0 ? {} : { disturbs: disturbs.map(recordOfDisturb) }),
    steps: [],
    checks: [],
  };
  return {
    record,
    file,
    folder: path.dirname(file),
    steps: [],
    scripts,
    awaits,
    disturbs,
    ...performedOptions(document, system),
    flow: { index },
  };
}
