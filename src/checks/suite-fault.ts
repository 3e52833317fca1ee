/** The ways in which a suite is not honest; each leads to exit code 6, but for a shape that does not fit, which is a skip. */

export type SuiteFaultKind =
  | 'no-check'
  | 'nothing-sent'
  | 'never-executed'
  | 'timeout-as-skip'
  | 'forbidden-skip'
  | 'absence-without-twin'
  | 'twin-saw-nothing'
  | 'unfelt-disturbance'
  | 'unfit-shape'
  | 'generated-unexplained'
  | 'unknown'
  | 'nothing-selected';

export interface SuiteFault {
  readonly kind: SuiteFaultKind;
  /** One sentence, with what to do. */
  readonly text: string;
  readonly check?: string;
  /** What ought to prove it, and did not pass itself: `failed`. */
  readonly twin?: { readonly id: string; readonly happened: string };
}
