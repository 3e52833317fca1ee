/** Thrown in a flow when something that it did, waited for or expected did not succeed. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
}
