/** `shakedown coverage`: which requirements were shown, on which backends, by what evidence; and what is wrong between them and the trials. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { coverageHtml } from '../../report/html/coverage-html.ts';
import { tellCoverage } from '../../report/terminal/tell-coverage.ts';
import { coverageJson } from '../coverage/coverage-json.ts';
import { gatherCoverage } from '../coverage/gather-coverage.ts';
import { importRequirements } from '../coverage/import-requirements.ts';
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
    if (optionText(call, 'import') !== undefined) return importRequirements(call);
    return showCoverage(call);
  },
};

async function showCoverage(call: Call): Promise<ExitCode> {
  const gathered = await gatherCoverage(call);
  const exitCode = gathered.failing.length > 0 ? exitCodes.dishonest : exitCodes.held;
  const html = optionText(call, 'html');
  if (html !== undefined) {
    const file = path.resolve(call.cwd, html);
    writeFileSync(
      file,
      coverageHtml(gathered, (folder) =>
        addressOf(path.relative(path.dirname(file), path.resolve(call.cwd, folder))),
      ),
    );
  }
  if (call.json) {
    call.terminal.out(JSON.stringify(coverageJson(gathered, exitCode)));
    return exitCode;
  }
  const { columns, paint } = call.terminal;
  call.terminal.out(tellCoverage(gathered, { columns, paint }).join('\n'));
  if (html !== undefined) call.terminal.out(`drawn     ${html}`);
  return exitCode;
}

/** Names of cases have brackets, which an address cannot have. */
function addressOf(relative: string): string {
  return relative.split(path.sep).map(encodeURIComponent).join('/');
}
