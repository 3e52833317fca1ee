/** The docker engine: that the client is installed says nothing, so the server is asked. */
import { askProgram, locate } from './ask-program.ts';
import type { Check } from './check.ts';
import { installHint } from './install-hint.ts';

const use = 'for services and resources in containers, in a later version';

export const dockerCheck: Check = {
  name: 'docker engine',
  otherwise: 'optional-missing',
  byHand: 'docker version',
  look: async ({ call }, signal) => {
    const docker = locate(call, 'docker');
    if (docker === undefined) {
      const next = installHint({ debian: 'docker.io', macos: 'colima docker && colima start' });
      return { state: 'optional-missing', detail: `not on PATH; ${use}`, next };
    }
    const { code, said } = await askProgram(
      call,
      docker,
      ['version', '--format', '{{.Server.Version}}'],
      signal,
    );
    if (code === 0 && said[0]) return { state: 'ok', detail: said[0] };
    const next =
      process.platform === 'darwin'
        ? 'start it: colima start, or open Docker Desktop'
        : 'start it: sudo systemctl start docker; and be in the group docker';
    return {
      state: 'optional-missing',
      detail: `${docker} reaches no engine; ${use}: ${said.at(-1) ?? `exit code ${code}`}`,
      next,
    };
  },
};
