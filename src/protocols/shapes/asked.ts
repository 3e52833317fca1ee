/** What a request offers and asks for, as far as it decides which answers are legal. */
import { isMap } from '../../kernel/is-map.ts';
import type { ModelRequest } from '../turn/dialect.ts';

export interface Asked {
  /** Content codings that the consumer accepts; none where it names none. */
  readonly encodings: readonly string[];
  /** How many answers to the same prompt. */
  readonly choices: number;
  /** Usage in the stream. */
  readonly usage: boolean;
  /** Types of the tools that the provider runs itself, without their date: `web_search`. */
  readonly hosted: readonly string[];
  /** What only the provider can read of its reasoning: `reasoning.encrypted_content` of the responses. */
  readonly seals: boolean;
  /** Anthropic's `thinking`, which is off where it is absent. */
  readonly thinking: boolean;
  /** `functions`, as it was before there were tools. */
  readonly functions: boolean;
}

/** Names of headers in lower case. */
export function readAsked(
  body: unknown,
  headers: Readonly<Record<string, string | undefined>>,
  { wantsUsage, wantsSeals, choices }: Pick<ModelRequest, 'wantsUsage' | 'wantsSeals' | 'choices'>,
): Asked {
  const { tools, functions, thinking } = isMap(body) ? body : {};
  const types = (Array.isArray(tools) ? tools : []).map((tool) => (isMap(tool) ? tool.type : undefined));
  return {
    encodings: encodingsIn(headers['accept-encoding'] ?? ''),
    choices: choices ?? 1,
    usage: wantsUsage,
    hosted: types.flatMap((type) =>
      typeof type === 'string' ? [type.replace(/_(?:\d{8}|preview.*)$/, '')] : [],
    ),
    seals: wantsSeals === true,
    thinking: isMap(thinking) && thinking.type !== 'disabled',
    functions: Array.isArray(functions) && functions.length > 0 && types.length === 0,
  };
}

function encodingsIn(header: string): readonly string[] {
  const named = header.split(',').flatMap((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === '' || parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)) ? [] : [name];
  });
  return named.includes('*') ? [...named, 'gzip', 'br'] : named;
}
