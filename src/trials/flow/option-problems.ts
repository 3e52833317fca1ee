/** What is wrong with a call of `flow(…)`, each problem at its own key. */
import { didYouMean } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import type { System } from '../../system/system.ts';
import { type FlowDocument, flowDocument } from '../document/flow-document.ts';
import { type Placed, problemAt, shapeProblems } from '../read/placed.ts';
import type { FoundFlow } from './flow-message.ts';

export function optionProblems(flow: FoundFlow, source: ConfigSource, system: System): readonly Problem[] {
  const { title, options, hasBody, oddity } = flow;
  const placed: Placed<unknown> = { value: options, source, path: [] };
  const problems: Problem[] = [];
  if (typeof title !== 'string' || title.trim() === '')
    problems.push(wrongCall(placed, 'the flow has no title'));
  if (options === undefined || Array.isArray(options))
    return [...problems, wrongCall(placed, oddity ?? 'the flow has no options')];
  if (!hasBody) problems.push(wrongCall(placed, 'the flow has no body'));
  return [
    ...problems,
    ...shapeProblems(placed, flowDocument, () => false),
    ...unknownSpeakers(placed, options as FlowDocument, system),
  ];
}

export function noFlow(file: string): Problem {
  return new Problem({
    code: 'flow.broken',
    where: { file, line: 1, column: 1 },
    what: 'the file declares no flow',
    allowed: 'at least one call of `flow(…)` while the file is imported',
    next: "import { flow } from 'shakedown', and declare one; or rename the file",
  });
}

function wrongCall(placed: Placed<unknown>, what: string): Problem {
  return problemAt(placed, 'key', [], {
    code: 'flow.broken',
    what,
    allowed: "flow('what must be true', { id: 'a/b' }, async (context) => { … })",
    next: 'correct the call',
  });
}

/** Expected error lines must name a known service. */
function unknownSpeakers(
  placed: Placed<unknown>,
  { logs }: FlowDocument,
  system: System,
): readonly Problem[] {
  const known = [...system.services.map(({ name }) => name), ...Object.keys(system.rosters)];
  if (!Array.isArray(logs?.allow)) return [];
  return logs.allow.flatMap(({ service }, index) => {
    if (typeof service !== 'string' || known.includes(service)) return [];
    return [
      problemAt(placed, 'value', ['logs', 'allow', index, 'service'], {
        code: 'config.unknown-name',
        what: `no service is called \`${service}\``,
        allowed: known.join(', ') || 'the config declares no service',
        next: didYouMean(service, known, 'name a service or a roster'),
      }),
    ];
  });
}
