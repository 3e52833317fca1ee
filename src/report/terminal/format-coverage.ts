/** Coverage for a person: a grid of marks, the evidence behind each, and what is wrong. */
import type { RequirementState } from '../../checks/verdict.ts';
import { baseId } from '../../kernel/base-id.ts';
import type {
  Coverage,
  CoveredRequirement,
  Evidence,
  GatheredCoverage,
} from '../../requirements/coverage.ts';
import type { RequirementFinding } from '../../requirements/finding.ts';
import {
  block,
  columnsFor,
  type Line,
  labelled,
  line,
  printLines,
  type ReportOptions,
  wholeLine,
} from './line.ts';
import { countStates, markOf, stateMarks } from './state-marks.ts';

export function formatCoverage(gathered: GatheredCoverage, options: ReportOptions = {}): string[] {
  const columns = columnsFor(options);
  const { coverage } = gathered;
  return [
    ...printLines(headline(coverage, columns), options),
    ...drawGrid(coverage, options),
    ...printLines(
      [
        ...stateMarks.flatMap(({ state }) => formatState(state, coverage, columns)),
        ...formatFindings('Findings', gathered.failing, columns, 'red'),
        ...formatFindings('Reported, but not required by the gate', gathered.warnings, columns, 'yellow'),
        ...formatUndetermined(gathered, columns),
        ...block(
          'Notes',
          gathered.notes.flatMap((note) => labelled('  ', note, columns)),
        ),
        line(''),
        ...conclusion(gathered, columns),
      ],
      options,
    ),
  ];
}

const most = 60;

function headline({ requirements, files, runs, system }: Coverage, columns: number): readonly Line[] {
  const count = requirements.length === 1 ? '1 requirement' : `${requirements.length} requirements`;
  return [
    ...labelled('', `${system}: ${count} in ${files.join(', ') || 'no file'}`, columns, 'bold'),
    ...runs.slice(0, 8).map(({ run, folder }) => wholeLine(`run ${run}  ${folder}`, 'dim')),
    ...(runs.length > 8 ? [line(`… and ${runs.length - 8} more runs`, 'dim')] : []),
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

function formatState(state: RequirementState, { requirements }: Coverage, columns: number): readonly Line[] {
  const group = requirements.filter((requirement) => requirement.state === state);
  if (state === 'deferred') return formatDeferred(group, columns);
  const word = markOf(state).word;
  return block(`${word.charAt(0).toUpperCase()}${word.slice(1)}`, [
    ...group.slice(0, most).flatMap((requirement) => formatRequirement(requirement, columns)),
    ...(group.length > most ? [line(`  … and ${group.length - most} more, all in --json`, 'dim')] : []),
  ]);
}

function formatRequirement(requirement: CoveredRequirement, columns: number): readonly Line[] {
  const { id, title, text, priority, state, trials, cells, waitsFor } = requirement;
  const { mark, style } = markOf(state);
  const head = `  ${mark} ${id}  ${priority ?? '  '}  `;
  const indent = ' '.repeat(head.length);
  const shown = cells.flatMap((cell) =>
    formatEvidence(cell.evidence, `${indent}${cells.length > 1 ? `${cell.backend}: ` : ''}`),
  );
  const unseen =
    shown.length === 0 && trials.length > 0
      ? labelled(`${indent}not performed: `, trials.slice(0, 4).join(', '), columns, 'dim', 1)
      : [];
  return [
    ...labelled(head, title ?? text, columns, state === 'covered' ? undefined : style, 2),
    ...shown,
    ...unseen,
    ...(waitsFor.length > 0 ? labelled(`${indent}waits for `, waitsFor.join(', '), columns, 'dim', 2) : []),
  ];
}

const mostEvidence = 6;

/** Cases of one trial with the same result are shown as one, with the first of them. */
function formatEvidence(evidence: readonly Evidence[], indent: string): readonly Line[] {
  const alike = [
    ...Map.groupBy(
      evidence,
      ({ trial, verdict, run, because }) => `${baseId(trial)} ${verdict} ${run} ${because ?? ''}`,
    ).values(),
  ];
  const lines = alike.slice(0, mostEvidence).flatMap(([first, ...others]) => {
    if (!first) return [];
    const more = others.length === 0 ? '' : ` and ${others.length} more of its cases`;
    const shown = first.because === undefined ? first.verdict : `${first.verdict} (${first.because})`;
    return [
      wholeLine(
        `${indent}${first.trial}${more} ${shown}${first.folder === null ? '' : `  ${first.folder}`}`,
        'dim',
      ),
    ];
  });
  const rest = alike.length - lines.length;
  return [...lines, ...(rest > 0 ? [line(`${indent}… and ${rest} more`, 'dim')] : [])];
}

/** Grouped by reason. */
function formatDeferred(group: readonly CoveredRequirement[], columns: number): readonly Line[] {
  const byReason = Map.groupBy(group, ({ deferred }) =>
    deferred?.until === undefined ? (deferred?.reason ?? '') : `${deferred.reason} (until ${deferred.until})`,
  );
  return block(
    'Deferred',
    [...byReason].flatMap(([reason, same]) => [
      ...labelled('  · ', `${reason}:`, columns),
      ...labelled('    ', same.map(({ id }) => id).join(', '), columns, 'dim', 8),
    ]),
  );
}

function formatFindings(
  heading: string,
  findings: readonly RequirementFinding[],
  columns: number,
  style: 'red' | 'yellow',
): readonly Line[] {
  return block(heading, [
    ...findings.slice(0, most).flatMap(({ file, line: at, trial, requirement, text, next }) => {
      const place = file === undefined ? '' : `${file}${at === undefined ? '' : `:${at}`}  `;
      const name = trial !== undefined && !text.includes(trial) ? `${trial}: ` : '';
      const id =
        requirement !== undefined && !`${name}${text}`.includes(requirement) ? `${requirement}: ` : '';
      return [
        ...labelled('  ', `${place}${name}${id}${text}`, columns, style),
        ...labelled('    ', next, columns, 'dim'),
      ];
    }),
    ...(findings.length > most ? [line(`  … and ${findings.length - most} more, all in --json`, 'dim')] : []),
  ]);
}

/** What is unknown is always shown. */
function formatUndetermined({ undetermined }: GatheredCoverage, columns: number): readonly Line[] {
  return block(
    'Not known: whether texts changed after their trials',
    undetermined.flatMap(({ ids, because }) =>
      labelled(
        '  ',
        `${because} (${ids.length === 1 ? ids[0] : `${ids.length} requirements`})`,
        columns,
        'yellow',
      ),
    ),
  );
}

function conclusion(gathered: GatheredCoverage, columns: number): readonly Line[] {
  const { failing, gate, undetermined, coverage } = gathered;
  const what = gate === undefined ? 'requirements and trials' : `the gate ${gate}`;
  if (failing.length > 0) {
    const count = failing.length === 1 ? 'one finding' : `${failing.length} findings`;
    return labelled(
      '',
      `Exit code 6, the suite does not prove what it says: ${count} about ${what}`,
      columns,
      'bold',
    );
  }
  const open = coverage.requirements.filter(
    ({ state }) => state === 'not-executed' || state === 'skipped',
  ).length;
  const rest = [
    ...(open > 0 ? [`${open} not shown by these results`] : []),
    ...(undetermined.length > 0 ? ['drift not known'] : []),
  ];
  return labelled(
    '',
    `no finding about ${what}${rest.length > 0 ? `; ${rest.join(', ')}` : ''}`,
    columns,
    rest.length > 0 ? 'yellow' : 'green',
  );
}
