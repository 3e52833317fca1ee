/** The keys of steps that act on a service itself. */
import { commonStepKeys, serviceName } from '../kind/keys-of-all.ts';
import { closed } from '../kind/values.ts';

const onService = (verb: string, what: string) =>
  closed({ [verb]: serviceName.describe(what), ...commonStepKeys }, `a ${verb} step`);

export const restartDocument = onService(
  'restart',
  'Stop the service politely, start it again, and wait until it is ready.',
);
export const stopDocument = onService('stop', 'Stop the service politely.');
export const startDocument = onService('start', 'Start the service, and wait until it is ready.');
export const pauseDocument = onService(
  'pause',
  'Freeze the service: it keeps its ports, and does nothing until `resume`.',
);
export const resumeDocument = onService('resume', 'Let a service go on that was paused.');
export const killDocument = onService('kill', 'End the service with SIGKILL.');
