/** `--model`: who answers in place of the config's choice. */
import { Problem } from '../../kernel/problem.ts';
import type { ModelMode, System } from '../../system/system.ts';
import type { Call } from '../verb.ts';
import { modeOption } from './mode-option.ts';

const modes: readonly ModelMode[] = ['script', 'record', 'cassette', 'live'];

/** The same system with the mode of its models chosen on the command line. */
export function withModelMode(call: Call, system: System, forced?: ModelMode): System {
  const wanted = forced ?? modeOption(call, 'model', modes);
  if (wanted === undefined) return system;
  if (!system.resources.some(({ kind }) => kind === 'model')) throw noModel(wanted);
  return {
    ...system,
    resources: system.resources.map((resource) =>
      resource.kind === 'model' ? { ...resource, mode: wanted } : resource,
    ),
  };
}

function noModel(wanted: ModelMode): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: `model mode ${wanted}`,
    what: 'the config declares no resource of the kind `model`',
    allowed: 'a system with a model provider among its resources',
    next: 'add `resources: { model: { kind: model } }`, and give `${model.url}` to the services that call it',
  });
}
