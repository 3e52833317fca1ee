/** Imports of product code: a flow that runs parts of the system in its own process tests them past the boundary. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { baseId } from '../place-of-part.ts';
import type { Allowances } from './allowances.ts';
import { findMockLibrary } from './mock-words.ts';
import type { OutsideImport, SuiteModule } from './suite-modules.ts';
import { databaseClients } from './write-words.ts';

export function importFindings(
  modules: readonly SuiteModule[],
  allowances: Allowances,
): readonly LintFinding[] {
  return modules.flatMap((module) =>
    module.outside
      // Libraries of mocks and clients of databases are told as what they are.
      .filter(({ specifier }) => findMockLibrary(specifier) === undefined && !isClient(specifier))
      .filter((one) => !allowances.imports(one.module))
      .map((one) => toFinding(module, one)),
  );
}

function isClient(specifier: string): boolean {
  return databaseClients.includes(specifier);
}

function toFinding({ shown, flows }: SuiteModule, { specifier, line, module }: OutsideImport): LintFinding {
  const [trial] = flows;
  return {
    kind: 'product-import',
    level: 'finding',
    ...(trial ? { trial: baseId(trial) } : {}),
    file: shown,
    line,
    text: `it imports ${JSON.stringify(specifier)}, which belongs neither to the suite nor to Node`,
    why: 'code of the system that runs inside of a trial is not the system: it can be right here and wrong where it is deployed',
    next: `go through a boundary instead (http, mcp, command …), use \`import type\` where only types are meant, or allow it: suite: { imports: { allow: [${module}], because: … } }`,
  };
}
