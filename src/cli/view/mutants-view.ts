/** The terminal view of live sabotage: the progress, and the attempt under way. */
import type { MutantsView } from '../../campaigns/sabotage/live/sabotage-suite.ts';
import { fitText } from '../../report/terminal/fit-text.ts';
import type { Call } from '../call/verb.ts';

export function openMutantsView({ terminal, json }: Call): MutantsView & { close(): void } {
  let isLive = terminal.isLive && !json;
  let total = 0;
  let done = 0;
  let survived = 0;
  const erase = (): void => {
    if (isLive) terminal.erase(0);
  };
  return {
    onPlanned: (attempts) => {
      total = attempts;
    },
    onTried: ({ mutant, outcome, stored }) => {
      done += 1;
      if (outcome === 'survived') survived += 1;
      if (!isLive) return;
      erase();
      const text = `▸ ${done}/${total}  survived ${survived}  ${mutant.service} ${mutant.mutant}: ${stored.trial.record.id}`;
      terminal.draw(fitText(text, terminal.columns - 1));
    },
    say: (text) => {
      if (json) return;
      erase();
      terminal.err(text);
    },
    close: () => {
      erase();
      isLive = false;
    },
  };
}
