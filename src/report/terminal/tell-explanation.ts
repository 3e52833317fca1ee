/** What a trial says it is for: told when it fails, so that the reader knows what is at stake; and how far a regression trial can be trusted. */
import type { Explanation } from '../../checks/explanation.ts';
import { type Line, labelled } from './line.ts';

export function tellExplanation(explanation: Explanation, columns: number): readonly Line[] {
  const { protects, catches, generated, regression } = explanation;
  const told: ReadonlyArray<readonly [label: string, text: string]> = [
    ...(protects === undefined ? [] : [['  it protects: ', protects] as const]),
    ...(catches === undefined ? [] : [['  it catches: ', catches] as const]),
    ...(regression === undefined ? [] : [['  ', `a regression trial, ${shownRed(explanation)}`] as const]),
    ...(generated === undefined ? [] : [['  ', 'a tool wrote it'] as const]),
  ];
  return told.flatMap(([label, text]) => labelled(label, text, columns, 'dim'));
}

/** After the time of a trial that held; empty where there is nothing to be honest about. */
export function labelOf({ regression }: Explanation): string {
  return regression?.shownRedOn === null ? ', a regression trial not shown red' : '';
}

function shownRed({ regression }: Explanation): string {
  const on = regression?.shownRedOn ?? null;
  return on === null ? 'not shown red: nobody has seen it fail on an older version' : `shown red on ${on}`;
}
