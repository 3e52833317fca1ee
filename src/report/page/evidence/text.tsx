/** Text of the system under test: what was redacted is shown as such, and control characters are visible. */
import { useState } from 'preact/hooks';
import { printable } from '../../../kernel/printable.ts';
import { isLeftOut, type LeftOut } from '../embedded-report.ts';
import { plainText } from '../plain-text.ts';

/** Evidence may be anything where a text belongs: left out, or from a damaged journal. */
export function Text({ text }: { readonly text: unknown }) {
  if (isLeftOut(text)) return <LeftOutText value={text} />;
  const parts = plainText(text).split(/(‹secret:[^›]{1,200}›)/);
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

function LeftOutText({ value }: { readonly value: LeftOut }) {
  const { bytes, beginning } = value.$leftOut;
  return (
    <span class="left-out">
      <Text text={String(beginning)} />
      <em> … {Number(bytes).toLocaleString('en')} bytes, the rest is in the folder of the run</em>
    </span>
  );
}

const mostAtFirst = 4_000;

/** A text that may be very long: its beginning, and the rest when it is asked for. */
export function Body({ text }: { readonly text: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const left = typeof text === 'string' && !isWhole ? text.length - mostAtFirst : 0;
  return (
    <pre class="body">
      <Text text={left > 0 ? plainText(text).slice(0, mostAtFirst) : text} />
      {left > 0 && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {left.toLocaleString('en')} more characters
        </button>
      )}
    </pre>
  );
}
