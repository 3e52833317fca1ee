/** The report as a page: trials on the left, the overview or one trial beside them. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { judgedBadly } from '../../checks/verdict.ts';
import { Boundary } from './frame/boundary.tsx';
import { KeyHelp } from './frame/key-help.tsx';
import { inOrder, TrialList } from './frame/trial-list.tsx';
import { Overview } from './overview/overview.tsx';
import { type Place, readPlace, type View, writePlace } from './place.ts';
import type { EmbeddedReport } from './read-embedded.ts';
import { TrialView } from './trial/trial-view.tsx';

export function App({ report }: { readonly report: EmbeddedReport }) {
  const { index } = report;
  const { trials } = index.verdict;
  const [place, go] = usePlace(trials.length === 1 ? trials[0]?.id : undefined);
  const [isListOpen, setListOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const trial = trials.find(({ id }) => id === place.trial);
  const bad = useMemo(() => inOrder(trials).filter(({ verdict }) => judgedBadly(verdict)), [trials]);
  const missing = trial ? undefined : place.trial;
  useKeys({
    '/': () => document.getElementById('find-trial')?.focus(),
    n: () => neighbour(bad, place, 1, go),
    p: () => neighbour(bad, place, -1, go),
    o: () => go({}),
    c: () => trial && go({ ...place, view: toggled(place.view, 'compare') }),
    v: () => trial && go({ ...place, view: toggled(place.view, 'conversation') }),
    '?': () => setHelpOpen(!isHelpOpen),
    Escape: () => (isHelpOpen ? setHelpOpen(false) : trial && go({ trial: trial.id, event: 0 })),
  });
  const load = useCallback(() => report.trial(trial?.id ?? ''), [report, trial]);
  return (
    <div class={`page${isListOpen ? ' list-open' : ''}${trials.length === 1 ? ' single' : ''}`}>
      <header class="top">
        <button
          type="button"
          class="menu"
          aria-expanded={isListOpen}
          onClick={() => setListOpen(!isListOpen)}
        >
          trials
        </button>
        <a class="brand" href="#?overview">
          <b>{index.runs[0]?.system}</b> <span class="dim">overview</span>
        </a>
        <button
          type="button"
          class="help"
          aria-label="Keys"
          aria-expanded={isHelpOpen}
          onClick={() => setHelpOpen(!isHelpOpen)}
        >
          ?
        </button>
      </header>
      <TrialList trials={trials} current={trial?.id} onGo={() => setListOpen(false)} />
      <Boundary key={trial?.id ?? ''} of={trial?.id ?? 'The overview'}>
        {trial ? (
          <TrialView {...{ verdict: trial, load, place, go }} />
        ) : (
          <Overview index={index} missing={missing} />
        )}
      </Boundary>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function toggled(view: View | undefined, wanted: View): View {
  return view === wanted ? 'sequence' : wanted;
}

function neighbour(
  bad: readonly { readonly id: string }[],
  place: Place,
  step: number,
  go: (place: Place) => void,
): void {
  const at = bad.findIndex(({ id }) => id === place.trial);
  const next = bad[at === -1 ? 0 : (at + step + bad.length) % bad.length];
  if (next) go({ trial: next.id });
}

/** The address is the state, so that every view can be linked to. */
function usePlace(only: string | undefined): readonly [Place, (place: Place) => void] {
  const first = (): Place => {
    const read = readPlace(location.hash);
    return read.trial === undefined && only !== undefined && location.hash === '' ? { trial: only } : read;
  };
  const [place, setPlace] = useState<Place>(first);
  useEffect(() => {
    const onChange = (): void => setPlace(readPlace(location.hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const go = useCallback((next: Place): void => {
    setPlace(next);
    history.replaceState(null, '', writePlace(next));
  }, []);
  return [place, go];
}

function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target instanceof HTMLInputElement;
      if (isTyping && event.key === 'Escape') (event.target as HTMLInputElement).blur();
      const act = isTyping || !Object.hasOwn(keys, event.key) ? undefined : keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
