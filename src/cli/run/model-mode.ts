/** `--model`: who answers in place of the config's choice. */
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ModelMode, System } from '../../system/system.ts';
import { type Call, optionText } from '../verb.ts';

const modes: readonly ModelMode[] = ['script', 'record', 'cassette', 'live'];

/** The same system with the mode of its models chosen on the command line. */
export function withModelMode(call: Call, system: System, forced?: ModelMode): System {
  const wanted = forced ?? modeOption(call);
  if (wanted === undefined) return system;
  if (!system.resources.some(({ kind }) => kind === 'model')) throw noModel(wanted);
  return {
    ...system,
    resources: system.resources.map((resource) =>
      resource.kind === 'model' ? { ...resource, mode: wanted } : resource,
    ),
  };
}

function modeOption(call: Call): ModelMode | undefined {
  const given = optionText(call, 'model');
  if (given === undefined) return undefined;
  const mode = modes.find((candidate) => candidate === given);
  if (mode) return mode;
  const guess = nearest(given, modes);
  throw new Problem({
    code: 'usage.bad-value',
    where: 'shakedown run --model',
    what: `${JSON.stringify(given)} is no way to answer`,
    allowed: modes.join(', '),
    next: guess ? `did you mean \`--model ${guess}\`?` : 'leave the option out: the config says who answers',
  });
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
