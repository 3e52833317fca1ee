/** Reads the flows of files without performing them: each file is imported in a separate process, a few at a time. */
import path from 'node:path';
import type { TrialRecord } from '../../checks/trial-record.ts';
import { systemClock } from '../../kernel/clock.ts';
import { problemsIn, refuse } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import { type ConfigSource, createConfigSource, type SourceNode } from '../../system/source/config-source.ts';
import { argumentSourceNode } from '../../system/source/module-source-node.ts';
import { readText } from '../../system/source/read-text.ts';
import { stripTypes } from '../../system/source/strip-types.ts';
import type { System } from '../../system/system.ts';
import { type FlowDocument, flowDocument } from '../document/flow-document.ts';
import { type BuiltStaging, buildStaging, findStaging } from '../read/build-staging.ts';
import { placeOf } from '../read/place-of.ts';
import type { KnownSystem } from '../read/read-trial-file.ts';
import { recordOfDisturb } from '../read/record-of-disturb.ts';
import { hashOf, judgedOptions, performedOptions } from '../read/trial-options.ts';
import type { Trial } from '../trial.ts';
import { flowLimits } from './flow-limits.ts';
import type { FoundFlow } from './flow-message.ts';
import { listFlows } from './list-flows.ts';
import { noFlow, optionProblems } from './option-problems.ts';

/** Limits the number of processes across all callers. */
export function flowReader(known: KnownSystem): (file: string) => Promise<readonly Trial[]> {
  const lanes: Promise<unknown>[] = Array.from({ length: flowLimits.readers }, () => Promise.resolve());
  let next = 0;
  return (file) => {
    const lane = next % flowLimits.readers;
    next += 1;
    const reading = (lanes[lane] as Promise<unknown>).then(() => readFlowFile(file, known));
    lanes[lane] = reading.catch(() => undefined); // whoever asked for it hears of it
    return reading;
  };
}

async function readFlowFile(file: string, known: KnownSystem): Promise<readonly Trial[]> {
  const { system } = known;
  const text = await readText(file, { noun: 'flow file', unreadable: 'trial.unreadable' });
  const flows = await listFlows(file, system.folder, systemClock);
  if (flows.length === 0) throw noFlow(file);
  const placed = flows.map((flow) => ({ flow, source: flowSource(file, text, flow) }));
  const staged = await Promise.all(placed.map(({ flow, source }) => stagingOf(flow, source, file, known)));
  const problems = [
    ...placed.flatMap(({ flow, source }) => optionProblems(flow, source, system)),
    ...staged.flatMap((staging) => staging.problems),
  ];
  refuse(sortProblems(problems));
  return placed.map(({ flow, source }, index) => ({
    ...toTrial(flow, index, file, system, staged[index] as BuiltStaging, hashOf(text)),
    whereIs: (part) => {
      const placed = placeOf(part, { steps: [], judged: [], staging: staged[index] as BuiltStaging });
      if (placed) return placed.source.keyPosition(placed.path);
      return source.valuePosition([part === 'attacks' ? 'attacks' : 'id']);
    },
  }));
}

async function stagingOf(
  { options }: FoundFlow,
  source: ConfigSource,
  file: string,
  known: KnownSystem,
): Promise<BuiltStaging> {
  const document = (options ?? {}) as FlowDocument;
  const sound = stagedOptions.safeParse(document);
  // Problems of its form are reported already.
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
  /** Of the file: a changed text is a different trial. */
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

/** The positions of a flow's options in its file, key by key; the position of the call where a key is not found. */
function flowSource(file: string, text: string, { line, column }: FoundFlow): ConfigSource {
  const offset = offsetOf(text, line, column);
  const call: SourcePosition = positionAt(file, text, offset, 'flow'.length);
  const findOptions = (): SourceNode | undefined => {
    const javascript = /\.m?ts$/.test(file) ? stripTypes(file, text) : text;
    return argumentSourceNode(javascript, offset, 1);
  };
  const written = createConfigSource(file, text, findOptions);
  return {
    ...written,
    keyPosition: (path) => (written.knows([]) && path.length > 0 ? written.keyPosition(path) : call),
    valuePosition: (path) => (written.knows([]) && path.length > 0 ? written.valuePosition(path) : call),
  };
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}
