/** The shapes of Gemini that were seen in the wild: G01 to G07. */
import {
  callsWithoutIds,
  emptyStopFirst,
  finishAlone,
  promptBlocked,
  retryDelayInBody,
  signatureOnFirstCall,
  unusualFinish,
} from './make-gemini.ts';
import type { MakeAnswer } from './shape.ts';

export const geminiMakers: Readonly<Record<string, MakeAnswer>> = {
  G01: finishAlone,
  G02: promptBlocked,
  G03: emptyStopFirst,
  G04: signatureOnFirstCall,
  G05: callsWithoutIds,
  G06: unusualFinish,
  G07: retryDelayInBody,
};
