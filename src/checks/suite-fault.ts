/** The ways in which a suite is not honest; each leads to exit code 6, except an unfit shape, which is a skip. */

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
  /** The twin that should prove it but did not pass itself: `failed`. */
  readonly twin?: { readonly id: string; readonly happened: string };
}
