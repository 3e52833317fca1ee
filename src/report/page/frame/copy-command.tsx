/** A command that can be copied with one click. */
import { useState } from 'preact/hooks';

export function CopyCommand({ command }: { readonly command: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => setCopied(true),
      () => setCopied(false), // a browser that does not permit it; the text can be selected
    );
  };
  return (
    <div class="command">
      <code>{command}</code>
      <button type="button" onClick={copy} aria-label={`Copy ${command}`}>
        {isCopied ? 'copied' : 'copy'}
      </button>
    </div>
  );
}
