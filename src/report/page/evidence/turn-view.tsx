/** What a model answered, folded from whatever the wire brought. */
import type { TurnEvidence } from '../../../journal/turn-evidence.ts';
import { isLeftOut } from '../embedded-report.ts';
import { listIn } from '../plain-text.ts';
import { JsonView } from './json-view.tsx';
import { Text } from './text.tsx';

export function TurnView({ turn }: { readonly turn: TurnEvidence }) {
  const { text, reasoning, calls, stop, usage, error, complete, faults } = turn;
  return (
    <div class="turn">
      {reasoning && (
        <details class="reasoning">
          <summary>thinking</summary>
          <p>
            <Text text={reasoning} />
          </p>
        </details>
      )}
      {text !== '' && (
        <p class="said">
          <Text text={text} />
        </p>
      )}
      {isLeftOut(calls) && <Text text={calls} />}
      {listIn(calls).map(({ id, name, arguments: given, argumentsText }) => (
        <div key={id} class="tool-call">
          <b>{name}</b> <code class="dim">{id}</code>
          {given === undefined ? <Text text={argumentsText} /> : <JsonView value={given} depth={1} />}
        </div>
      ))}
      {error && (
        <p class="missing">
          {error.type}: <Text text={error.message} />
        </p>
      )}
      {listIn(faults).map(({ rule, what }) => (
        <p key={rule} class="missing">
          broke <code>{rule}</code>: <Text text={what} />
        </p>
      ))}
      <p class="dim">
        {[
          stop === null ? 'no reason to stop' : `stops: ${stop}`,
          usage
            ? `${usage.input.toLocaleString('en')} + ${usage.output.toLocaleString('en')} tokens`
            : 'no usage reported',
          ...(complete ? [] : ['not complete']),
        ].join(' · ')}
      </p>
    </div>
  );
}
