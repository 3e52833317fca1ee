/** An optional program: there, and able to say its version. */
import { askProgram, locate } from './ask-program.ts';
import type { Check } from './check.ts';
import { installHint } from './install-hint.ts';
import type { OptionalProgram } from './optional-programs.ts';

export function programCheck(program: OptionalProgram): Check {
  const { name, commands, version, use } = program;
  return {
    name,
    otherwise: 'optional-missing',
    byHand: [commands[0], ...version].join(' '),
    look: async ({ call }, signal) => {
      if (program.linuxOnly && process.platform !== 'linux') return undefined;
      const file = commands.map((command) => locate(call, command)).find((found) => found !== undefined);
      if (file === undefined)
        return { state: 'optional-missing', detail: `not on PATH; for ${use}`, next: installHint(program) };
      const { code, said } = await askProgram(call, file, version, signal);
      // A wrapper may complain before the program says its version.
      if (code === 0)
        return { state: 'ok', detail: said.find((line) => /\d\.\d/.test(line)) ?? said[0] ?? file };
      return {
        state: 'optional-missing',
        detail: `${file} is there and does not run: ${said.at(-1) ?? `exit code ${code}`}; for ${use}`,
        next: installHint(program),
      };
    },
  };
}
