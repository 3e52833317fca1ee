/** All that the doctor looks at, in the order in which it is told. */
import { tmpdir } from 'node:os';
import type { Check } from './check.ts';
import { composeCheck } from './compose-check.ts';
import { configCheck } from './config-check.ts';
import { configProgramsCheck } from './config-programs-check.ts';
import { diskCheck } from './disk-check.ts';
import { dockerCheck } from './docker-check.ts';
import { environmentCheck } from './environment-check.ts';
import { leftoversCheck } from './leftovers-check.ts';
import { namespaceCheck } from './namespace-check.ts';
import { nodeCheck } from './node-check.ts';
import { optionalPrograms } from './optional-programs.ts';
import { portCheck } from './port-check.ts';
import { postgresCheck } from './postgres-check.ts';
import { programCheck } from './program-check.ts';
import { secretsCheck } from './secrets-check.ts';
import { shellCheck } from './shell-check.ts';
import { stateFolderCheck } from './state-folder-check.ts';
import { trialsCheck } from './trials-check.ts';

export function everyCheck(folder: string): readonly Check[] {
  return [
    nodeCheck,
    shellCheck,
    diskCheck({
      name: 'disk',
      folder,
      next: 'free some space (old runs in .shakedown/runs may be deleted), or work in a folder of yours',
    }),
    stateFolderCheck,
    diskCheck({
      name: 'temporary disk',
      folder: tmpdir(),
      next: 'free some space, or set TMPDIR to another folder',
    }),
    portCheck,
    namespaceCheck,
    secretsCheck,
    postgresCheck,
    dockerCheck,
    composeCheck,
    ...optionalPrograms.map(programCheck),
    leftoversCheck,
    configCheck,
    configProgramsCheck,
    trialsCheck,
    environmentCheck,
  ];
}
