/** All checks of the doctor, in the order of the output. */
import { tmpdir } from 'node:os';
import type { Check } from './check.ts';
import { namespaceCheck, secretsCheck } from './containment-checks.ts';
import { diskCheck, stateFolderCheck } from './disk-checks.ts';
import { environmentCheck, leftoversCheck } from './environment-checks.ts';
import { nodeCheck, portCheck, shellCheck } from './machine-checks.ts';
import { dockerCheck, optionalPrograms, postgresCheck, programCheck } from './program-checks.ts';
import { configCheck, configProgramsCheck, trialsCheck } from './project-checks.ts';
import { pythonCheck } from './python-check.ts';

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
    ...optionalPrograms.map(programCheck),
    leftoversCheck,
    configCheck,
    configProgramsCheck,
    pythonCheck,
    trialsCheck,
    environmentCheck,
  ];
}
