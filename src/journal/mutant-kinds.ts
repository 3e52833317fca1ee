/** What a service is turned into by live sabotage, and how that is described after the name of the service. */
export const mutantText = {
  dead: 'dead',
  garbage: 'answering garbage',
  wrong: 'answering with other values',
  'other-tenant': "answering with another's data",
} as const;

/** A mutant of a service or a resource. */
export interface MutantOf {
  readonly service: string;
  readonly mutant: MutantKind;
}

export type MutantKind = keyof typeof mutantText;
