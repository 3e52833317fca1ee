/** The requirements as a grid, a row for each priority, a square for each requirement. */
import { useState } from 'preact/hooks';
import type { RequirementVerdict } from '../../../checks/verdict.ts';
import { markOf } from '../../terminal/state-marks.ts';
import type { ReportIndex } from '../embedded-report.ts';
import { Text } from '../evidence/text.tsx';
import { writePlace } from '../place.ts';

interface GridProps {
  readonly verdicts: readonly RequirementVerdict[];
  readonly texts: ReportIndex['requirements'];
}

export function RequirementGrid({ verdicts, texts }: GridProps) {
  const [chosen, setChosen] = useState<RequirementVerdict>();
  const groups = [...Map.groupBy(verdicts, ({ priority }) => priority ?? 'without a priority')];
  const text = texts.find(({ id }) => id === chosen?.id);
  return (
    <>
      {groups.map(([priority, group]) => (
        <div key={priority} class="priority">
          <span>{priority}</span>
          <div class="squares">
            {group.map((one) => {
              const { mark, word } = markOf(one.state);
              return (
                <button
                  key={one.id}
                  type="button"
                  class={`square ${one.state}`}
                  title={`${one.id}: ${word}`}
                  aria-label={`${one.id}: ${word}`}
                  aria-pressed={one === chosen}
                  onClick={() => setChosen(one === chosen ? undefined : one)}
                >
                  {mark}
                </button>
              );
            })}
          </div>
        </div>
      ))}
      {chosen && (
        <div class="requirement">
          <h3>
            {chosen.id} <span class="dim">{markOf(chosen.state).word}</span>
          </h3>
          <p>
            <Text text={text?.title ?? text?.text ?? ''} />
          </p>
          <p>
            {chosen.trials.length === 0
              ? 'no trial covers it'
              : chosen.trials.map((id) => (
                  <a key={id} href={writePlace({ trial: id })}>
                    {id}{' '}
                  </a>
                ))}
          </p>
        </div>
      )}
    </>
  );
}
