/** What can be done to a service itself. Apart from what does it, so that others can name it without loading that. */
export const serviceActions = ['restart', 'stop', 'start', 'kill', 'pause', 'resume'] as const;
export type ServiceAction = (typeof serviceActions)[number];
