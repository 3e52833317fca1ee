/** Which files a config of the past declared as trials and requirements, as far as that can be read without running it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Problem, Problems } from '../../kernel/problem.ts';
import { defaultTrials } from '../../system/build/build-system.ts';
import { normaliseText } from '../../system/source/read-text.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';
import type { System } from '../../system/system.ts';

export interface DeclaredPatterns {
  readonly trials: readonly string[];
  readonly requirements?: readonly string[];
  readonly notes: readonly string[];
}

/** `textAt` gives a file of the revision, relative to the folder of the config. */
export function declaredPatterns(
  system: System,
  textAt: (file: string) => string | undefined,
): DeclaredPatterns {
  const name = path.basename(system.file);
  const text = textAt(name);
  const same = text !== undefined && normaliseText(text) === normaliseText(readFileSync(system.file, 'utf8'));
  const today: DeclaredPatterns = {
    trials: system.trials,
    ...(system.requirements === undefined ? {} : { requirements: system.requirements }),
    notes: [],
  };
  if (same) return today;
  if (text === undefined)
    return { ...today, notes: [`${name} was not there; trials are looked for as it says today`] };
  const declared = /\.ya?ml$/.test(name) ? fromYaml(name, text) : fromCode(text);
  if (!declared)
    return { ...today, notes: [`${name} of then cannot be read; trials are looked for as it says today`] };
  return {
    trials: declared.trials ?? defaultTrials,
    ...(declared.requirements === undefined ? {} : { requirements: declared.requirements }),
    notes: [],
  };
}

interface Keys {
  readonly trials?: readonly string[];
  readonly requirements?: readonly string[];
}

function fromYaml(name: string, text: string): Keys | undefined {
  try {
    const { value } = parseYamlDocument(name, text, 'config.syntax');
    const { trials, requirements } = (value ?? {}) as { trials?: unknown; requirements?: unknown };
    return { ...asTexts('trials', trials), ...asTexts('requirements', requirements) };
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
}

/** Code is not run: the keys are looked for as they are usually written. */
function fromCode(text: string): Keys {
  const of = (key: string): unknown => {
    const [, one, list] =
      new RegExp(`\\b${key}:\\s*(?:['"\`]([^'"\`]+)['"\`]|\\[([^\\]]*)\\])`).exec(text) ?? [];
    if (one !== undefined) return one;
    return list && [...list.matchAll(/['"`]([^'"`]+)['"`]/g)].map(([, word]) => word);
  };
  return { ...asTexts('trials', of('trials')), ...asTexts('requirements', of('requirements')) };
}

function asTexts(key: keyof Keys, value: unknown): Keys {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  return texts.length === 0 ? {} : { [key]: texts };
}
