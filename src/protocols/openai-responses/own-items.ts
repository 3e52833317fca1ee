/** Tools that OpenAI defines and the consumer runs: each is called in an item of its own kind. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { OfferedTool } from '../turn/dialect.ts';

/** Undefined where the tool is none of them, or where the provider runs it in a container of its own. */
export function ownItemOf({ type, environment }: JsonMap): OfferedTool['item'] {
  if (isMap(environment) && environment.type !== 'local') return undefined;
  return makers.get(type);
}

const makers = new Map<unknown, NonNullable<OfferedTool['item']>>([
  [
    'shell',
    (made) => ({
      type: 'shell_call',
      action: { timeout_ms: null, max_output_length: null, ...made },
      environment: null,
    }),
  ],
  ['local_shell', (made) => ({ type: 'local_shell_call', action: { type: 'exec', env: {}, ...made } })],
  ['apply_patch', (operation) => ({ type: 'apply_patch_call', operation })],
  ['computer', (action) => ({ type: 'computer_call', actions: [action], pending_safety_checks: [] })],
  ['computer_use_preview', (action) => ({ type: 'computer_call', action, pending_safety_checks: [] })],
]);

/** A call of the preview comes back as one of `computer`. */
export function ownNames(type: unknown): readonly string[] {
  return type === 'computer_use_preview' ? [type, 'computer'] : [String(type)];
}

/** The tool that such an item calls, or whose output it is. */
export function ownTool(type: unknown): { readonly name: string; readonly isOutput: boolean } | undefined {
  const [, name, output] =
    /^(shell|local_shell|apply_patch|computer)_call(_output)?$/.exec(String(type)) ?? [];
  return name === undefined ? undefined : { name, isOutput: output !== undefined };
}
