/** `shakedown conformance`: tries a plugin of the config with everything that Shakedown relies on. */
import { type ConformanceCase, pluginConformance } from '../../campaigns/conformance/plugin-conformance.ts';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage, Problem } from '../../kernel/problem.ts';
import { PluginBroken } from '../../plugins/plugin-process.ts';
import type { PluginSpec, System } from '../../system/system.ts';
import { print } from '../call/print.ts';
import type { Call, Verb } from '../call/verb.ts';

export const conformance: Verb = {
  summary: 'try a plugin of the config: does it do what Shakedown relies on?',
  usage: 'PLUGIN',
  positionals: 1,
  run: async (call) => {
    const system = await openSystem(call);
    const spec = pluginNamed(system, call.positionals[0]);
    const cases = await tryPlugin(call, spec, system);
    const failed = cases.filter(({ verdict }) => verdict === 'failed').length;
    const sum = failed === 0 ? 'none failed' : `${failed} failed`;
    print(call, { plugin: spec.name, failed, cases }, () => [
      `\n${spec.name}: ${cases.length} cases, ${sum}`,
    ]);
    return failed === 0 ? exitCodes.held : exitCodes.failed;
  },
};

async function tryPlugin(
  call: Call,
  spec: PluginSpec,
  { folder, file }: System,
): Promise<readonly ConformanceCase[]> {
  const marks = { passed: '✓', failed: '✗', skipped: '-' } as const;
  try {
    return await pluginConformance(spec, folder, ({ name, verdict, because }) => {
      if (!call.json)
        call.terminal.out(`${marks[verdict]} ${name}${because === undefined ? '' : `: ${because}`}`);
    });
  } catch (error) {
    if (!(error instanceof PluginBroken)) throw error;
    throw new Problem({
      code: 'plugin.broken',
      where: `${file}, plugins.${spec.name}`,
      what: error.message,
      allowed: 'a program that answers `{"id":1,"do":"describe"}` with one line of JSON',
      next: `run it by hand and type that line: ${spec.run.join(' ')}`,
    });
  }
}

function pluginNamed({ plugins = [], file }: System, name: string | undefined): PluginSpec {
  const found = plugins.find((plugin) => plugin.name === name);
  if (found) return found;
  const names = plugins.map((plugin) => plugin.name);
  const allowed = names.join(', ') || `a name under \`plugins\` in ${file}, which has none`;
  const next = 'name one of them';
  if (name === undefined) throw badUsage('shakedown conformance', 'no plugin is named', allowed, next);
  const what = `the config has no plugin \`${name}\``;
  throw badUsage(`shakedown conformance ${name}`, what, allowed, didYouMean(name, names, next));
}
