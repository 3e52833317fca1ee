/** Which keys do what. */
const keys: readonly (readonly [key: string, what: string])[] = [
  ['/', 'find a trial'],
  ['n, p', 'next and previous trial that did not hold'],
  ['↑ ↓', 'what happened before and after'],
  ['c', 'beside a passing attempt, and back'],
  ['v', 'conversations with models, and back'],
  ['o', 'overview'],
  ['Esc', 'close the evidence'],
  ['?', 'this list'],
];

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <div class="key-help" role="dialog" aria-label="Keys">
      <dl>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        close
      </button>
    </div>
  );
}
