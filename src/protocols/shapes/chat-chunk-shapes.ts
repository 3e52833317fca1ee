/** The first half of the shapes of chat completions, C01 to C22: chunks, calls, reasons to stop. */
import {
  almostNoArguments,
  argumentsAsObject,
  callsInterleaved,
  callsOutOfPlace,
  callsWithOtherWord,
  callsWithoutIndex,
  callsWithSameIndex,
  nameInEveryFragment,
  nameInFirstFragment,
  nameInFragments,
  noArguments,
  sameIndexTwiceInChunk,
  severalArguments,
  wordWithoutCalls,
} from './chat-call-makers.ts';
import {
  azurePreamble,
  choiceWithoutDelta,
  chunkWithoutChoices,
  usageWithoutChoices,
} from './chat-chunk-makers.ts';
import { emptyWordUntilEnd, finishOnEveryChunk, finishWithContent, unknownWord } from './chat-end-makers.ts';
import type { MakeAnswer } from './shape.ts';

export const chatChunkMakers: Readonly<Record<string, MakeAnswer>> = {
  C01: usageWithoutChoices,
  C02: chunkWithoutChoices,
  C03: azurePreamble,
  C04: choiceWithoutDelta,
  C05: callsWithoutIndex,
  C06: nameInFirstFragment,
  C07: callsWithSameIndex,
  C08: callsInterleaved,
  C09: callsOutOfPlace,
  C10: sameIndexTwiceInChunk,
  C11: nameInEveryFragment,
  C12: nameInFragments,
  C13: severalArguments,
  C14: noArguments,
  C15: almostNoArguments,
  C16: argumentsAsObject,
  C17: callsWithOtherWord,
  C18: wordWithoutCalls,
  C19: emptyWordUntilEnd,
  C20: unknownWord,
  C21: finishWithContent,
  C22: finishOnEveryChunk,
};
