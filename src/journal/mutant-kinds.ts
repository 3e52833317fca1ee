/** What a service is turned into by live sabotage, and how that is described after the name of the service. */
export const mutantText = {
  dead: 'dead',
  garbage: 'answering garbage',
  'other-tenant': "answering with another's data",
} as const;

export type MutantKind = keyof typeof mutantText;
