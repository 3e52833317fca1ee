/** `service` in a flow. */
import type { ActOptions, FlowSteps, Row } from '../kind/flow-method.ts';

export interface ServiceFlow {
  readonly service: (name: string) => ServiceDriver;
}

type ServiceAct = (options?: ActOptions) => Promise<Row>;

export interface ServiceDriver {
  readonly restart: ServiceAct;
  readonly stop: ServiceAct;
  readonly start: ServiceAct;
  readonly kill: ServiceAct;
  readonly pause: ServiceAct;
  readonly resume: ServiceAct;
}

export function serviceFlow({ act }: FlowSteps): ServiceFlow {
  return {
    service: (name) => ({
      restart: (options) => act({ restart: name }, options),
      stop: (options) => act({ stop: name }, options),
      start: (options) => act({ start: name }, options),
      kill: (options) => act({ kill: name }, options),
      pause: (options) => act({ pause: name }, options),
      resume: (options) => act({ resume: name }, options),
    }),
  };
}
