/** Thrown in a flow when an act, a wait or an expectation failed. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
}
