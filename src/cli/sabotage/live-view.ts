/** What a person sees while services lie: how far it is, and what is under way. */
import type { TriedLie } from '../../campaigns/sabotage/live/try-lies.ts';
import { fitText } from '../../report/terminal/fit-text.ts';
import type { Call } from '../verb.ts';

export interface LiveView {
  planned(attempts: number): void;
  tried(one: TriedLie): void;
  /** A line above the live one. */
  say(text: string): void;
  close(): void;
}

export function openLiveView({ terminal, json }: Pick<Call, 'terminal' | 'json'>): LiveView {
  let isLive = terminal.isLive && !json;
  let total = 0;
  let done = 0;
  let green = 0;
  const erase = (): void => {
    if (isLive) terminal.erase(0);
  };
  return {
    planned: (attempts) => {
      total = attempts;
    },
    tried: ({ lie, outcome, stored }) => {
      done += 1;
      if (outcome === 'green') green += 1;
      if (!isLive) return;
      erase();
      const text = `▸ ${done}/${total}  stayed green ${green}  ${lie.service} ${lie.lie}: ${stored.trial.record.id}`;
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
