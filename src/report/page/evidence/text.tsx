/** Text of the system under test: what was redacted is shown as such, and control characters are visible. */
import { printable } from '../../../kernel/printable.ts';

export function Text({ text }: { readonly text: string }) {
  const parts = text.split(/(‹secret:[^›]{1,200}›)/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <mark key={index} class="secret" title="a secret was here; its value is not in the report">
            {part.slice('‹secret:'.length, -1)}
          </mark>
        ) : (
          part.split('\n').map(printable).join('\n')
        ),
      )}
    </>
  );
}
