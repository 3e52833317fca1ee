/** The act could not be completed. The runner ends the attempt here, unless the trial expects it. */
export interface ActError {
  readonly kind:
    | 'refused'
    | 'unreachable'
    | 'reset'
    | 'closed'
    | 'timeout'
    | 'garbage'
    | 'too-large'
    | 'not-started'
    /** The plugin that performs the step broke. */
    | 'plugin-failed';
  readonly message: string;
}
