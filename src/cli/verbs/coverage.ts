/** `shakedown coverage`: which requirements were shown by which evidence, and mismatches with the trials. */
import path from 'node:path';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { badUsage } from '../../kernel/problem.ts';
import { coverageHtml } from '../../report/html/coverage-html.ts';
import { formatCoverage } from '../../report/terminal/format-coverage.ts';
import type { CoveredRequirement, GatheredCoverage } from '../../requirements/coverage.ts';
import { print } from '../call/print.ts';
import { type Call, optionText, type Verb } from '../call/verb.ts';
import { gatherCoverage } from '../coverage/gather-coverage.ts';
import { importRequirements, writeText } from '../coverage/import-requirements.ts';

export const coverage: Verb = {
  summary: 'show which requirements the results of runs cover, and what is wrong with them',
  usage: '[RUN…] [--gate NAME] [--against REV] [--html FILE] | --import FILE.md [--write FILE.yaml]',
  positionals: 1_000,
  options: {
    gate: { value: 'NAME', help: 'apply the demands of this gate on requirements' },
    against: {
      value: 'REV',
      help: 'report requirements, trials and checks that existed at this revision and are gone',
    },
    html: { value: 'FILE', help: 'also write an HTML report to this file' },
    import: { value: 'FILE.md', help: 'print the requirements in its tables as requirements.yaml' },
    write: { value: 'FILE.yaml', help: 'with --import: write them to this new file' },
    defer: {
      value: 'REASON',
      help: 'with --import: defer requirements that no trial covers yet, for this reason',
    },
  },
  run: async (call) => {
    refuseIdleOptions(call);
    if (optionText(call, 'import') !== undefined) return importRequirements(call);
    return showCoverage(call);
  },
};

/** Rejects options of the report together with `--import`, and options of `--import` without it. */
function refuseIdleOptions({ options, positionals }: Call): void {
  const isImport = options.import !== undefined;
  const others = isImport ? ['gate', 'against', 'html'] : ['write', 'defer'];
  const idle = others.find((name) => options[name] !== undefined);
  if (idle === undefined && !(isImport && positionals.length > 0)) return;
  const named = idle === undefined ? positionals.join(' ') : `--${idle}`;
  const where = `shakedown coverage ${named}`;
  if (!isImport) {
    const next = 'add --import FILE.md, or leave it out';
    throw badUsage(where, `\`${named}\` needs \`--import\``, `--import FILE.md ${named}`, next);
  }
  const what = `\`${named}\` applies to the results of runs, but \`--import\` reads no runs`;
  throw badUsage(where, what, '--import FILE.md with --write and --defer', 'leave one of the two out');
}

async function showCoverage(call: Call): Promise<ExitCode> {
  const gathered = await gatherCoverage(call);
  const exitCode = gathered.failing.length > 0 ? exitCodes.dishonest : exitCodes.held;
  const html = optionText(call, 'html');
  if (html !== undefined) {
    const file = path.resolve(call.cwd, html);
    const linkTo = (folder: string): string =>
      addressOf(path.relative(path.dirname(file), path.resolve(call.cwd, folder)));
    writeText(call, file, coverageHtml(gathered, linkTo), '--html');
  }
  print(call, coverageJson(gathered, exitCode), (terminal) => [
    ...formatCoverage(gathered, terminal),
    ...(html === undefined ? [] : [`written   ${html}`]),
  ]);
  return exitCode;
}

/** Names of cases have brackets, which a URL must encode. */
function addressOf(relative: string): string {
  return relative.split(path.sep).map(encodeURIComponent).join('/');
}

/** Coverage as JSON. */
function coverageJson(gathered: GatheredCoverage, exitCode: ExitCode): unknown {
  const { coverage, failing, warnings, undetermined, notes } = gathered;
  const { requirements, ...rest } = coverage;
  const byPriority = Map.groupBy(requirements, ({ priority }) => priority ?? 'none');
  return {
    ...rest,
    gate: gathered.gate ?? null,
    against: gathered.against ?? null,
    exitCode,
    counts: countStates(requirements),
    priorities: Object.fromEntries(
      [...byPriority].map(([priority, group]) => [priority, countStates(group)]),
    ),
    requirements,
    findings: failing,
    warnings,
    undetermined,
    notes,
  };
}

function countStates(requirements: readonly CoveredRequirement[]): object {
  const groups = Map.groupBy(requirements, ({ state }) => state);
  const counts = [...groups].map(([state, group]) => [state, group.length]);
  return { total: requirements.length, ...Object.fromEntries(counts) };
}
