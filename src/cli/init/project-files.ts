/** The small running project that `init` writes, file by file. */
import { checkProgram } from './check-program.ts';
import { firstGuestProgram } from './first-guest-program.ts';
import { firstTrial } from './first-trial.ts';
import { greeterProgram } from './greeter-program.ts';
import { ledgerProgram } from './ledger-program.ts';
import { readme } from './readme.ts';
import { shakedownYaml } from './shakedown-yaml.ts';

/** Path below the project's folder to content. */
export const projectFiles: ReadonlyMap<string, string> = new Map([
  ['shakedown.yaml', shakedownYaml],
  ['ledger.mjs', ledgerProgram],
  ['greeter.mjs', greeterProgram],
  ['first-guest.mjs', firstGuestProgram],
  ['trials/first.trial.yaml', firstTrial],
  ['check.mjs', checkProgram],
  ['README.md', readme],
]);
