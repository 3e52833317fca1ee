/** Coverage as one self-contained HTML file: the grid, the findings, and every requirement with its evidence. */

import type { RequirementState } from '../../checks/verdict.ts';
import type {
  Coverage,
  CoverageCell,
  CoveredRequirement,
  GatheredCoverage,
} from '../../requirements/coverage.ts';
import type { RequirementFinding } from '../../requirements/finding.ts';
import { countStates, markOf, stateMarks } from '../terminal/state-marks.ts';
import { coverageStyle } from './coverage-style.ts';
import { html } from './html-text.ts';

/** `linkTo` makes a link to the folder of a trial. */
export function coverageHtml(gathered: GatheredCoverage, linkTo: (folder: string) => string): string {
  const { coverage, failing, warnings, notes, undetermined } = gathered;
  const { system, requirements, runs, files } = coverage;
  const states = requirements.map(({ state }) => state);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coverage of ${html(system)}</title>
<style>${coverageStyle}</style>
</head>
<body>
<header>
<h1>${html(system)}</h1>
<p>${requirements.length} requirements in ${html(files.join(', '))}: ${html(countStates(states))}</p>
<p class="dim">${runs.length === 0 ? 'from no run' : `from ${runs.map(({ run, startedAt }) => `<code>${html(run)}</code> (${html(startedAt.slice(0, 16).replace('T', ' '))})`).join(', ')}`}${gathered.gate === undefined ? '' : `, compared with the gate <code>${html(gathered.gate)}</code>`}</p>
</header>
<section>
${coverageGrid(coverage)}
<p class="legend">${legendOf(requirements)}</p>
</section>
${findingsSection('Findings', 'finding', failing)}
${findingsSection('Reported, but not required by the gate', 'warning', warnings)}
${listSection(
  'Not known: whether texts changed after their trials',
  undetermined.map(({ ids, because }) => `${because} (${ids.join(', ')})`),
)}
${listSection('Notes', notes)}
${[...Map.groupBy(requirements, ({ priority }) => priority ?? 'without a priority')].map(([priority, group]) => tableOf(priority, group, coverage.backends, linkTo)).join('\n')}
</body>
</html>
`;
}

function legendOf(requirements: readonly CoveredRequirement[]): string {
  return stateMarks
    .filter(({ state }) =>
      requirements.some((one) => one.state === state || one.cells.some((cell) => cell.state === state)),
    )
    .map(({ state, mark, word }) => `<span class="pill ${state}">${mark} ${word}</span>`)
    .join(' ');
}

function findingsSection(heading: string, kind: string, findings: readonly RequirementFinding[]): string {
  if (findings.length === 0) return '';
  const items = findings.map(({ file, line, trial, text, next }) => {
    const place =
      file === undefined ? '' : `<code>${html(file)}${line === undefined ? '' : `:${line}`}</code> `;
    const name = trial !== undefined && !text.includes(trial) ? `<code>${html(trial)}</code>: ` : '';
    return `<li class="${kind}">${place}${name}${written(text)}<br><span class="dim">${written(next)}</span></li>`;
  });
  return `<section><h2>${html(heading)} <span class="dim">${findings.length}</span></h2><ul>${items.join('\n')}</ul></section>`;
}

function listSection(heading: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section><h2>${html(heading)}</h2><ul>${items.map((item) => `<li>${html(item)}</li>`).join('')}</ul></section>`;
}

function tableOf(
  priority: string,
  group: readonly CoveredRequirement[],
  backends: readonly string[],
  linkTo: (folder: string) => string,
): string {
  const heads = backends.length === 0 ? ['state'] : backends;
  return `<section><h2>${html(priority)} <span class="dim">${html(countStates(group.map(({ state }) => state)))}</span></h2>
<div class="wide"><table>
<thead><tr><th>id</th><th>requirement</th>${heads.map((head) => `<th>${html(head)}</th>`).join('')}</tr></thead>
<tbody>
${group.map((requirement) => rowOf(requirement, linkTo)).join('\n')}
</tbody></table></div></section>`;
}

function rowOf(requirement: CoveredRequirement, linkTo: (folder: string) => string): string {
  const { id, title, text, state, cells, deferred, waitsFor, method, antiPattern, failPath } = requirement;
  const more = [
    ...(deferred
      ? [`deferred${deferred.until === undefined ? '' : ` until ${deferred.until}`}: ${deferred.reason}`]
      : []),
    ...(waitsFor.length > 0 ? [`waits for ${waitsFor.join(', ')}`] : []),
    ...(failPath ? ['the failing side must be shown'] : []),
  ];
  const details = [
    ...(method === undefined ? [] : [`<dt>method</dt><dd>${written(method)}</dd>`]),
    ...(antiPattern === undefined ? [] : [`<dt>no proof</dt><dd>${written(antiPattern)}</dd>`]),
    `<dt>written in</dt><dd><code>${html(requirement.file)}:${requirement.line}</code></dd>`,
  ];
  const shown =
    cells.length === 0
      ? `<td>${pill(state)}</td>`
      : cells.map((cell) => `<td>${pill(cell.state)}${evidenceOf(cell, linkTo)}</td>`).join('');
  return `<tr id="${html(id)}"><td class="id">${html(id)}</td><td>${title === undefined ? '' : `<strong>${written(title)}</strong><br>`}${written(text)}${more.map((one) => `<br><span class="dim">${html(one)}</span>`).join('')}<details><summary>more</summary><dl>${details.join('')}</dl></details></td>${shown}</tr>`;
}

/** Text between backticks is code. */
function written(text: string): string {
  return html(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function pill(state: CoveredRequirement['state']): string {
  const { mark, word } = markOf(state);
  return `<span class="pill ${state}">${mark} ${word}</span>`;
}

function evidenceOf({ evidence }: CoverageCell, linkTo: (folder: string) => string): string {
  return evidence
    .map(({ trial, verdict, folder, because }) => {
      const name = folder === null ? html(trial) : `<a href="${html(linkTo(folder))}">${html(trial)}</a>`;
      return `<div class="evidence">${name} ${because === undefined && verdict === 'passed' ? '' : `<span class="dim">${html(because ?? verdict)}</span>`}</div>`;
    })
    .join('');
}

const square = 20;
const gap = 4;
const step = square + gap;
const perRow = 36;
const rowGap = 12;
const charWidth = 7.5;

/** The coverage grid as a drawing: a row for each priority on each backend, a square for each requirement. */
function coverageGrid({ requirements, backends }: Coverage): string {
  const columns = backends.length === 0 ? [''] : backends;
  const groups = [...Map.groupBy(requirements, ({ priority }) => priority ?? 'none')];
  const labels = groups.flatMap(([priority]) => columns.map((backend) => `${priority} ${backend}`));
  const left = Math.ceil(Math.max(0, ...labels.map(({ length }) => length)) * charWidth) + 16;
  const parts: string[] = [];
  let top = 0;
  for (const [priority, group] of groups) {
    for (const backend of columns) {
      parts.push(
        drawRow(`${html(priority)} <tspan class="dim">${html(backend)}</tspan>`, backend, group, {
          left,
          top,
        }),
      );
      top += Math.ceil(group.length / perRow) * step + rowGap;
    }
  }
  const widest = Math.min(perRow, Math.max(1, ...groups.map(([, group]) => group.length)));
  const width = left + widest * step;
  return `<svg class="grid" role="img" aria-label="${html(countStates(requirements.map(({ state }) => state)))}" viewBox="0 0 ${width} ${Math.max(step, top)}" width="${width}" height="${Math.max(step, top)}">
${parts.join('\n')}
</svg>`;
}

function drawRow(
  name: string,
  backend: string,
  group: readonly CoveredRequirement[],
  { left, top }: Record<'left' | 'top', number>,
): string {
  const label = `<text x="0" y="${top + square - 5}" class="label">${name}</text>`;
  const squares = group.map((requirement, index) => {
    const state = requirement.cells.find((cell) => cell.backend === backend)?.state ?? requirement.state;
    const x = left + (index % perRow) * step;
    const y = top + Math.floor(index / perRow) * step;
    return drawSquare(requirement, state, x, y);
  });
  return [label, ...squares].join('\n');
}

function drawSquare(
  { id, title, text }: CoveredRequirement,
  state: RequirementState,
  x: number,
  y: number,
): string {
  const { mark, word } = markOf(state);
  const tip = `${id} ${title ?? text}: ${word}`;
  return `<a href="#${html(id)}"><rect x="${x}" y="${y}" width="${square}" height="${square}" rx="4" class="${state}"/><text x="${x + square / 2}" y="${y + square - 6}" class="mark ${state}">${mark}</text><title>${html(tip)}</title></a>`;
}
