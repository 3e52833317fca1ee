/** The driver `tcp`: opens a connection that stays, on which later steps send and listen, in messages or in bytes. */
import type { Driver } from '../driver.ts';
import { OpeningAct } from './opening-act.ts';
import type { TcpStep } from './tcp-step.ts';

export const tcpDriver: Driver<TcpStep> = {
  name: 'tcp',
  describe: ({ target, codec }) => (codec === undefined ? `tcp ${target}` : `tcp ${target} (${codec})`),
  start: (step, context) => new OpeningAct(step, context),
};
