/** A verdict as a sign with a colour, and in words for who cannot see either. */
import type { Verdict } from '../../../checks/verdict.ts';

const signs: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  unstable: '✗',
  unknown: '?',
  skipped: '–',
  'expected-failure': '~',
};

export function VerdictSign({ verdict }: { readonly verdict: Verdict }) {
  return (
    <span class={`sign ${verdict}`} role="img" aria-label={verdict}>
      {signs[verdict]}
    </span>
  );
}
