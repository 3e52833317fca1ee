/** What is wrong with a call of `flow(…)`, each problem at its own key. */
import { Problem } from '../../kernel/problem.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import type { System } from '../../system/system.ts';
import { type FlowDocument, flowDocument } from '../document/flow-document.ts';
import { isolationProblems } from '../read/attached-problems.ts';
import { type Placed, problemAt, shapeProblems } from '../read/placed.ts';
import { speakerProblems } from '../read/reference-problems.ts';
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
    ...speakerProblems(placed, options as FlowDocument, system),
    ...isolationProblems(placed, options as FlowDocument, system),
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
