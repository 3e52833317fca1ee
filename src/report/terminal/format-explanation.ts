/** The purpose of a trial, shown when it fails; and how far a regression trial can be trusted. */
import type { Explanation } from '../../checks/explanation.ts';
import { type Line, labelled } from './line.ts';

export function formatExplanation(explanation: Explanation, columns: number): readonly Line[] {
  const { protects, catches, generated, regression } = explanation;
  const shown: ReadonlyArray<readonly [label: string, text: string]> = [
    ...(protects === undefined ? [] : [['  it protects: ', protects] as const]),
    ...(catches === undefined ? [] : [['  it catches: ', catches] as const]),
    ...(regression === undefined ? [] : [['  ', `a regression trial, ${shownRed(explanation)}`] as const]),
    ...(generated === undefined ? [] : [['  ', 'a tool wrote it'] as const]),
  ];
  return shown.flatMap(([label, text]) => labelled(label, text, columns, 'dim'));
}

/** Follows the duration of a trial that passed; empty if there is nothing to add. */
export function labelOf({ regression }: Explanation): string {
  return regression?.shownRedOn === null ? ', a regression trial not shown red' : '';
}

function shownRed({ regression }: Explanation): string {
  const on = regression?.shownRedOn ?? null;
  return on === null ? 'not shown red: it was never seen failing on an older version' : `shown red on ${on}`;
}
