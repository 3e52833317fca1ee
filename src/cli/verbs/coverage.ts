/** `shakedown coverage`: which requirements were shown, on which backends, by what evidence; and what is wrong between them and the trials. */
import path from 'node:path';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { Problem } from '../../kernel/problem.ts';
import { coverageHtml } from '../../report/html/coverage-html.ts';
import { tellCoverage } from '../../report/terminal/tell-coverage.ts';
import { coverageJson } from '../coverage/coverage-json.ts';
import { gatherCoverage } from '../coverage/gather-coverage.ts';
import { importRequirements } from '../coverage/import-requirements.ts';
import { writeText } from '../coverage/write-text.ts';
import { type Call, optionText, type Verb } from '../verb.ts';

export const coverage: Verb = {
  summary: 'show which requirements the results of runs cover, and what is wrong with them',
  usage: '[RUN…] [--gate NAME] [--against REV] [--html FILE] | --import FILE.md [--write FILE.yaml]',
  words: { atMost: 1_000 },
  options: {
    gate: { type: 'string', value: 'NAME', help: 'what this gate of the config asks of requirements' },
    against: {
      type: 'string',
      value: 'REV',
      help: 'a requirement, trial or check that was there at this revision and is gone is a finding',
    },
    html: { type: 'string', value: 'FILE', help: 'also draw it into a file that opens in a browser' },
    import: {
      type: 'string',
      value: 'FILE.md',
      help: 'print the requirements that stand in its tables as requirements.yaml',
    },
    write: { type: 'string', value: 'FILE.yaml', help: 'with --import: into this new file' },
    defer: {
      type: 'string',
      value: 'REASON',
      help: 'with --import: defer what no trial covers yet, for this reason',
    },
  },
  run: async (call) => {
    refuseIdleOptions(call);
    if (optionText(call, 'import') !== undefined) return importRequirements(call);
    return showCoverage(call);
  },
};

/** What belongs to an import, and what belongs to showing, each without the other. */
function refuseIdleOptions({ options, words }: Call): void {
  const isImport = options.import !== undefined;
  const others = isImport ? ['gate', 'against', 'html'] : ['write', 'defer'];
  const idle = others.find((name) => options[name] !== undefined);
  if (idle === undefined && !(isImport && words.length > 0)) return;
  const named = idle === undefined ? words.join(' ') : `--${idle}`;
  throw new Problem({
    code: 'usage.bad-value',
    where: `shakedown coverage ${named}`,
    what: isImport
      ? `\`${named}\` is about what runs have shown, and \`--import\` reads none of them`
      : `\`${named}\` is about an import, and \`--import\` is not there`,
    allowed: isImport ? '--import FILE.md with --write and --defer' : `--import FILE.md ${named}`,
    next: isImport ? 'leave one of the two out' : 'add --import FILE.md, or leave it out',
  });
}

async function showCoverage(call: Call): Promise<ExitCode> {
  const gathered = await gatherCoverage(call);
  const exitCode = gathered.failing.length > 0 ? exitCodes.dishonest : exitCodes.held;
  const html = optionText(call, 'html');
  if (html !== undefined) {
    const file = path.resolve(call.cwd, html);
    writeText(
      file,
      coverageHtml(gathered, (folder) =>
        addressOf(path.relative(path.dirname(file), path.resolve(call.cwd, folder))),
      ),
      '--html',
    );
  }
  if (call.json) {
    call.terminal.out(JSON.stringify(coverageJson(gathered, exitCode)));
    return exitCode;
  }
  const { columns, paint, hint } = call.terminal;
  call.terminal.out(tellCoverage(gathered, { columns, paint, hint }).join('\n'));
  if (html !== undefined) call.terminal.out(`drawn     ${html}`);
  return exitCode;
}

/** Names of cases have brackets, which an address cannot have. */
function addressOf(relative: string): string {
  return relative.split(path.sep).map(encodeURIComponent).join('/');
}
