import { expect, test } from 'vitest';
import { runWithFault, type SyscallFault } from './faults/syscall-fault.ts';
import { needs } from './harness/needs.ts';
import { makeProject } from './harness/project.ts';
import { isNothing, until } from './harness/until.ts';

/** The depth for each kind: up to the last such call of a boot. `npm run faults` goes further. */
const far = Number(process.env.SHAKEDOWN_FAULT_DEPTH ?? 1);
const kinds: ReadonlyArray<readonly [call: string, error: string, upTo: number]> = [
  ['mkdir', 'ENOSPC', 3 * far],
  ['bind', 'EADDRINUSE', 3 * far],
  ['symlink', 'EROFS', 1],
  ['rename', 'EACCES', 1 * far],
  ['rmdir', 'EBUSY', 2 * far],
  ['unlink', 'EPERM', 2 * far],
];
const faults: readonly SyscallFault[] = kinds.flatMap(([call, error, upTo]) =>
  Array.from({ length: upTo }, (_, index) => ({ call, error, nth: index + 1 })),
);

const system = `name: faulty
jobs: { setup: { run: [sh, -c, "true"] } }
services: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, after: [setup] } }
`;

test.each(faults)(
  '$call number $nth fails with $error: nothing is left, and a failure is explained',
  async (fault) => {
    needs('linux', 'strace');
    const project = makeProject({ 'shakedown.yaml': system });
    const result = await runWithFault(project, fault, ['up', '--', 'true']);
    expect([0, 2, 3, 7, 70], result.output).toContain(result.code);
    if (result.code !== 0) expect(result.stderr).toMatch(/error\[[a-z.-]+\]/);
    await until('nothing is left', 5_000, project.left, isNothing);
  },
);
