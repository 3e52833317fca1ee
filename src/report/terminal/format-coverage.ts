/** Coverage for a person: a grid of marks, the evidence behind each, and what is wrong. */
import type { RequirementState } from '../../checks/verdict.ts';
import { baseId } from '../../kernel/base-id.ts';
import { counted } from '../../kernel/counted.ts';
import type {
  Coverage,
  CoveredRequirement,
  Evidence,
  GatheredCoverage,
} from '../../requirements/coverage.ts';
import type { RequirementFinding } from '../../requirements/finding.ts';
import {
  andMore,
  block,
  firstOf,
  item,
  type Line,
  line,
  printLines,
  type ReportOptions,
  wholeLine,
} from './line.ts';
import { countStates, markOf, stateMarks } from './state-marks.ts';

export function formatCoverage(gathered: GatheredCoverage, options: ReportOptions = {}): string[] {
  const { coverage } = gathered;
  return [
    ...printLines(headline(coverage), options),
    ...drawGrid(coverage, options),
    ...printLines(
      [
        ...stateMarks.flatMap(({ state }) => formatState(state, coverage)),
        ...formatFindings('Findings', gathered.failing, 'red'),
        ...formatFindings('Reported, but not required by the gate', gathered.warnings, 'yellow'),
        ...formatUndetermined(gathered),
        ...block(
          'Notes',
          gathered.notes.map((note) => item('  ', note)),
        ),
        line(''),
        conclusion(gathered),
      ],
      options,
    ),
  ];
}

const most = 60;
const inJson = andMore('  ', ', all in --json');

function headline({ requirements, files, runs, system }: Coverage): readonly Line[] {
  const count = counted(requirements.length, 'requirement');
  const drawRun = ({ run, folder }: Coverage['runs'][number]): Line =>
    wholeLine(`run ${run}  ${folder}`, 'dim');
  return [
    item('', `${system}: ${count} in ${files.join(', ') || 'no file'}`, 'bold'),
    ...firstOf(runs, 8, drawRun, andMore('', ' runs')),
    line(''),
  ];
}

/** A line of marks for each priority on each backend, one mark for each requirement, in the order of the ids below. */
function drawGrid({ requirements, backends }: Coverage, options: ReportOptions): readonly string[] {
  if (requirements.length === 0) return [];
  const paint = options.paint ?? ((_style, text) => text);
  const columns = backends.length === 0 ? [''] : backends;
  const width = Math.max(...columns.map(({ length }) => length));
  const groups = [...Map.groupBy(requirements, ({ priority }) => priority ?? 'none')];
  const lines = groups.flatMap(([priority, group]) =>
    columns.flatMap((backend, index) => {
      const states = group.map((requirement) => stateOn(requirement, backend));
      const head = `${index === 0 ? priority.padEnd(5) : '     '}${backend.padEnd(width)}  `;
      const rows = chunks(states, most);
      return rows.map((row, at) => {
        const marks = row.map((state) => paint(markOf(state).style, markOf(state).mark)).join('');
        const tail =
          at === rows.length - 1
            ? `${' '.repeat(Math.min(most, widest(groups)) - row.length)}  ${countStates(states)}`
            : '';
        return `${at === 0 ? head : ' '.repeat(head.length)}${marks}${tail}`.trimEnd();
      });
    }),
  );
  const seen = stateMarks.filter(({ state }) =>
    requirements.some((one) => one.state === state || one.cells.some((cell) => cell.state === state)),
  );
  const legend = seen.map(({ mark, word, style }) => `${paint(style, mark)} ${word}`).join('  ');
  return [...lines, '', `     ${legend}`];
}

function stateOn({ cells, state }: CoveredRequirement, backend: string): RequirementState {
  return cells.find((cell) => cell.backend === backend)?.state ?? state;
}

function widest(groups: readonly (readonly [string, readonly unknown[]])[]): number {
  return Math.max(...groups.map(([, group]) => group.length));
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function formatState(state: RequirementState, { requirements }: Coverage): readonly Line[] {
  const group = requirements.filter((requirement) => requirement.state === state);
  if (state === 'deferred') return formatDeferred(group);
  const word = markOf(state).word;
  const heading = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return block(heading, firstOf(group, most, formatRequirement, inJson));
}

function formatRequirement(requirement: CoveredRequirement): readonly Line[] {
  const { id, title, text, priority, state, trials, cells, waitsFor } = requirement;
  const { mark, style } = markOf(state);
  const head = `  ${mark} ${id}  ${priority ?? '  '}  `;
  const indent = ' '.repeat(head.length);
  const shown = cells.flatMap((cell) =>
    formatEvidence(cell.evidence, `${indent}${cells.length > 1 ? `${cell.backend}: ` : ''}`),
  );
  const isUnseen = shown.length === 0 && trials.length > 0;
  return [
    item(head, title ?? text, state === 'covered' ? undefined : style, 2),
    ...shown,
    ...(isUnseen ? [item(`${indent}not performed: `, trials.slice(0, 4).join(', '), 'dim', 1)] : []),
    ...(waitsFor.length > 0 ? [item(`${indent}waits for `, waitsFor.join(', '), 'dim', 2)] : []),
  ];
}

const mostEvidence = 6;

/** Cases of one trial with the same result are shown as one, with the first of them. */
function formatEvidence(evidence: readonly Evidence[], indent: string): readonly Line[] {
  const alike = Map.groupBy(
    evidence,
    ({ trial, verdict, run, because }) => `${baseId(trial)} ${verdict} ${run} ${because ?? ''}`,
  );
  const draw = ([first, ...others]: readonly Evidence[]): readonly Line[] => {
    if (!first) return [];
    const more = others.length === 0 ? '' : ` and ${others.length} more of its cases`;
    const shown = first.because === undefined ? first.verdict : `${first.verdict} (${first.because})`;
    const place = first.folder === null ? '' : `  ${first.folder}`;
    return [wholeLine(`${indent}${first.trial}${more} ${shown}${place}`, 'dim')];
  };
  return firstOf([...alike.values()], mostEvidence, draw, andMore(indent));
}

/** Grouped by reason. */
function formatDeferred(group: readonly CoveredRequirement[]): readonly Line[] {
  const byReason = Map.groupBy(group, ({ deferred }) =>
    deferred?.until === undefined ? (deferred?.reason ?? '') : `${deferred.reason} (until ${deferred.until})`,
  );
  return block(
    'Deferred',
    [...byReason].flatMap(([reason, same]) => [
      item('  · ', `${reason}:`),
      item('    ', same.map(({ id }) => id).join(', '), 'dim', 8),
    ]),
  );
}

function formatFindings(
  heading: string,
  findings: readonly RequirementFinding[],
  style: 'red' | 'yellow',
): readonly Line[] {
  const draw = ({ file, line: at, trial, requirement, text, next }: RequirementFinding): readonly Line[] => {
    const place = file === undefined ? '' : `${file}${at === undefined ? '' : `:${at}`}  `;
    const name = trial !== undefined && !text.includes(trial) ? `${trial}: ` : '';
    const id = requirement !== undefined && !`${name}${text}`.includes(requirement) ? `${requirement}: ` : '';
    return [item('  ', `${place}${name}${id}${text}`, style), item('    ', next, 'dim')];
  };
  return block(heading, firstOf(findings, most, draw, inJson));
}

/** What is unknown is always shown. */
function formatUndetermined({ undetermined }: GatheredCoverage): readonly Line[] {
  return block(
    'Not known: whether texts changed after their trials',
    undetermined.map(({ ids, because }) => {
      const which = ids.length === 1 ? ids[0] : `${ids.length} requirements`;
      return item('  ', `${because} (${which})`, 'yellow');
    }),
  );
}

function conclusion(gathered: GatheredCoverage): Line {
  const { failing, gate, undetermined, coverage } = gathered;
  const what = gate === undefined ? 'requirements and trials' : `the gate ${gate}`;
  if (failing.length > 0) {
    const count = failing.length === 1 ? 'one finding' : `${failing.length} findings`;
    return item('', `Exit code 6, the suite does not prove what it says: ${count} about ${what}`, 'bold');
  }
  const open = coverage.requirements.filter(
    ({ state }) => state === 'not-executed' || state === 'skipped',
  ).length;
  const rest = [
    ...(open > 0 ? [`${open} not shown by these results`] : []),
    ...(undetermined.length > 0 ? ['drift not known'] : []),
  ];
  const text = `no finding about ${what}${rest.length > 0 ? `; ${rest.join(', ')}` : ''}`;
  return item('', text, rest.length > 0 ? 'yellow' : 'green');
}
