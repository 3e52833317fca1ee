/** The coverage grid as a drawing: a row for each priority on each backend, a square for each requirement. */
import type { RequirementState } from '../../checks/verdict.ts';
import type { Coverage, CoveredRequirement } from '../../requirements/coverage.ts';
import { countStates, markOf } from '../terminal/state-marks.ts';
import { escapeHtml as html } from './escape-html.ts';

const square = 20;
const gap = 4;
const step = square + gap;
const perRow = 36;
const rowGap = 12;
const charWidth = 7.5;

export function coverageGrid({ requirements, backends }: Coverage): string {
  const columns = backends.length === 0 ? [''] : backends;
  const groups = [...Map.groupBy(requirements, ({ priority }) => priority ?? 'none')];
  const labels = groups.flatMap(([priority]) => columns.map((backend) => `${priority} ${backend}`));
  const left = Math.ceil(Math.max(0, ...labels.map(({ length }) => length)) * charWidth) + 16;
  const parts: string[] = [];
  let top = 0;
  for (const [priority, group] of groups) {
    for (const backend of columns) {
      parts.push(drawRow({ priority, backend, group, left, top }));
      top += Math.ceil(group.length / perRow) * step + rowGap;
    }
  }
  const widest = Math.min(perRow, Math.max(1, ...groups.map(([, group]) => group.length)));
  const width = left + widest * step;
  return `<svg class="grid" role="img" aria-label="${html(countStates(requirements.map(({ state }) => state)))}" viewBox="0 0 ${width} ${Math.max(step, top)}" width="${width}" height="${Math.max(step, top)}">
${parts.join('\n')}
</svg>`;
}

interface GridRow {
  readonly priority: string;
  readonly backend: string;
  readonly group: readonly CoveredRequirement[];
  readonly left: number;
  readonly top: number;
}

function drawRow({ priority, backend, group, left, top }: GridRow): string {
  const label = `<text x="0" y="${top + square - 5}" class="label">${html(priority)} <tspan class="dim">${html(backend)}</tspan></text>`;
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
