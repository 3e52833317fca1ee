/** One trial: what broke, and under it the attempt as a diagram, as a conversation, or beside one that passed. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { judgedBadly, type TrialVerdict } from '../../../checks/verdict.ts';
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { CompareView } from '../compare/compare-view.tsx';
import { ConversationView } from '../conversation/conversation-view.tsx';
import type { ReportedAttempt, ReportedTrial } from '../embedded-report.ts';
import { EvidencePanel } from '../evidence/evidence-panel.tsx';
import { Text } from '../evidence/text.tsx';
import { Boundary } from '../frame/boundary.tsx';
import { CopyCommand } from '../frame/copy-command.tsx';
import { VerdictSign } from '../frame/verdict-sign.tsx';
import type { Place, View } from '../place.ts';
import { Diagram } from '../sequence/diagram.tsx';
import { eventItem, storyOf } from './attempt-story.ts';
import { badChecks, firstToLookAt, marksOf } from './failure.ts';
import { ProblemCard } from './problem-card.tsx';

interface TrialProps {
  readonly verdict: TrialVerdict;
  readonly load: () => Promise<ReportedTrial | undefined>;
  readonly place: Place;
  readonly go: (place: Place) => void;
}

type Loaded = ReportedTrial | undefined | 'loading' | { readonly failure: string };

export function TrialView({ verdict, load, place, go }: TrialProps) {
  const [loaded, setLoaded] = useState<Loaded>('loading');
  useEffect(() => {
    let isLeft = false;
    load().then(
      (trial) => !isLeft && setLoaded(trial),
      (error: unknown) => !isLeft && setLoaded({ failure: String(error) }),
    );
    return () => {
      isLeft = true;
    };
  }, [load]);
  const check = badChecks(verdict).find(({ id }) => id === place.check) ?? badChecks(verdict)[0];
  const toEvent = (event: number): void => go({ ...place, event, view: 'sequence' });
  return (
    <main class="trial">
      <TrialHead verdict={verdict} />
      {(verdict.verdict !== 'passed' || verdict.faults.length > 0) && (
        <ProblemCard
          trial={verdict}
          check={check}
          onCheck={(id) => go({ trial: verdict.id, check: id })}
          onEvent={toEvent}
        />
      )}
      <Attempts {...{ loaded, verdict, place, go }} />
    </main>
  );
}

function TrialHead({ verdict }: { readonly verdict: TrialVerdict }) {
  const { id, title, file, line, durationMs, attempts, tags } = verdict;
  return (
    <header class="trial-head">
      <h2>
        <VerdictSign verdict={verdict.verdict} /> {id}
        {verdict.backend === null ? null : <span class="dim"> on {verdict.backend}</span>}
      </h2>
      <p>
        {title === undefined ? null : <Text text={title} />}{' '}
        <span class="dim">
          {file}:{line} · {formatDuration(durationMs)}
          {attempts > 1 ? ` · ${attempts} attempts` : ''}
          {tags.length === 0 ? '' : ` · ${tags.join(', ')}`}
        </span>
      </p>
      {verdict.verdict === 'passed' && <CopyCommand command={verdict.repro} />}
    </header>
  );
}

function Attempts({
  loaded,
  ...rest
}: {
  loaded: Loaded;
  verdict: TrialVerdict;
  place: Place;
  go: (place: Place) => void;
}) {
  const [number, setNumber] = useState<number>();
  if (loaded === 'loading') return <p class="empty">Opening the journal…</p>;
  if (loaded === undefined) return <p class="empty">This report has no evidence of this trial.</p>;
  if ('failure' in loaded) return <p class="broken">The journal cannot be read: {loaded.failure}</p>;
  const { attempts, reference } = loaded;
  const attempt =
    attempts.find((one) => one.attempt === number) ??
    attempts.find(({ folder }) => folder === rest.verdict.folder) ??
    attempts[0];
  if (!attempt) return <p class="empty">This trial was not performed.</p>;
  return (
    <>
      {attempts.length > 1 && (
        <fieldset class="tabs small attempts" aria-label="Attempts">
          {attempts.map((one) => (
            <button
              key={one.folder}
              type="button"
              aria-pressed={one === attempt}
              onClick={() => setNumber(one.attempt)}
            >
              attempt {one.attempt}
            </button>
          ))}
        </fieldset>
      )}
      {attempt.unreadable !== undefined && (
        <p class="broken">This journal is not whole: {attempt.unreadable}</p>
      )}
      <Boundary key={attempt.folder} of="This attempt">
        <Attempt {...{ attempt, reference, ...rest }} />
      </Boundary>
    </>
  );
}

interface AttemptProps {
  readonly attempt: ReportedAttempt;
  readonly reference: ReportedAttempt | undefined;
  readonly verdict: TrialVerdict;
  readonly place: Place;
  readonly go: (place: Place) => void;
}

function Attempt({ attempt, reference, verdict, place, go }: AttemptProps) {
  const story = useMemo(() => storyOf(attempt, reference, verdict), [attempt, reference, verdict]);
  const { items, pairs, conversations, emphasis } = story;
  const check = badChecks(verdict).find(({ id }) => id === place.check) ?? badChecks(verdict)[0];
  const first = useMemo(() => {
    if (!judgedBadly(verdict.verdict)) return undefined;
    return place.check ? check?.evidence.at(-1) : firstToLookAt(verdict, check, items, emphasis);
  }, [verdict, place.check, check, items, emphasis]);
  const selected = place.event ?? first;
  const item = items.find(({ seq }) => seq === selected) ?? eventItem(attempt, selected);
  const view = place.view ?? 'sequence';
  const toEvent = (event: number): void => go({ ...place, trial: verdict.id, event, view: 'sequence' });
  return (
    <>
      <ViewTabs
        view={view}
        turns={conversations.reduce((sum, { turns }) => sum + turns.length, 0)}
        hasReference={reference !== undefined}
        onView={(next) => go({ ...place, trial: verdict.id, view: next })}
      />
      {view === 'sequence' && (
        <div class={item ? 'split' : 'whole'}>
          <Boundary of="The diagram">
            <Diagram story={story} selected={selected} onSelect={toEvent} />
          </Boundary>
          {item && (
            <EvidencePanel
              key={item.seq}
              item={item}
              events={(item.seq < 0 ? reference : attempt)?.events ?? []}
              passed={pairs.find(({ here, pairing }) => here === item && pairing === 'changed')?.there}
              marks={
                isLookedAt(item.event) && check?.evidence.includes(item.seq) ? marksOf(check) : undefined
              }
              onClose={() =>
                go({ trial: verdict.id, ...(place.check ? { check: place.check } : {}), event: 0 })
              }
            />
          )}
        </div>
      )}
      {view === 'conversation' && (
        <Boundary of="The conversation">
          <ConversationView conversations={conversations} onEvent={toEvent} />
        </Boundary>
      )}
      {view === 'compare' && reference && (
        <Boundary of="The comparison">
          <CompareView pairs={pairs} run={reference.run} onEvent={toEvent} />
        </Boundary>
      )}
    </>
  );
}

/** What a check or the `expect` of a step is about. */
function isLookedAt({ type }: AttemptEvent): boolean {
  return type === 'probe.sampled' || type === 'step.ended';
}

const viewNames: Readonly<Record<View, string>> = {
  sequence: 'What happened',
  conversation: 'Conversations',
  compare: 'Beside a passing attempt',
};

interface TabsProps {
  readonly view: View;
  readonly turns: number;
  readonly hasReference: boolean;
  readonly onView: (view: View) => void;
}

function ViewTabs({ view, turns, hasReference, onView }: TabsProps) {
  const there: readonly View[] = [
    'sequence',
    ...(turns > 0 ? ['conversation' as const] : []),
    ...(hasReference ? ['compare' as const] : []),
  ];
  return (
    <fieldset class="tabs" aria-label="Views">
      {there.map((name) => (
        <button key={name} type="button" aria-pressed={name === view} onClick={() => onView(name)}>
          {viewNames[name]}
          {name === 'conversation' ? <span class="count">{turns}</span> : null}
          {name === 'compare' ? <kbd>c</kbd> : null}
        </button>
      ))}
    </fieldset>
  );
}
