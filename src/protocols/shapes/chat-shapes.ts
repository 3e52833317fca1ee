/** The shapes of chat completions C23 to C44: endings, failures, dialects of servers, refusals. */
import { badIds } from './chat-call-makers.ts';
import {
  contentAsParts,
  deltaAndMessage,
  emptyReasoning,
  everyKindOfNothing,
  reasoningByAnyName,
  reasoningToEcho,
  roleWithText,
  severalChoices,
  textWithEmptyCalls,
  usageNullOrAbsent,
  usageWithChoices,
} from './chat-chunk-makers.ts';
import { chatChunkMakers } from './chat-chunk-shapes.ts';
import {
  endInArguments,
  failureAfterText,
  failureUnderWay,
  neitherFinishNorEndMark,
  noEndMark,
  noFinish,
  oddFailureUnderWay,
} from './chat-end-makers.ts';
import { overflowing, permanent, rateLimited } from './chat-refusals.ts';
import type { MakeAnswer } from './shape.ts';

export const chatMakers: Readonly<Record<string, MakeAnswer>> = {
  ...chatChunkMakers,
  C23: noEndMark,
  C24: noFinish,
  C25: neitherFinishNorEndMark,
  C26: endInArguments,
  C27: failureUnderWay,
  C28: oddFailureUnderWay,
  C29: contentAsParts,
  C30: reasoningByAnyName,
  C31: emptyReasoning,
  C32: reasoningToEcho,
  C33: textWithEmptyCalls,
  C34: roleWithText,
  C35: usageWithChoices,
  C36: usageNullOrAbsent,
  C37: deltaAndMessage,
  C38: severalChoices,
  C39: badIds,
  C40: everyKindOfNothing,
  C41: rateLimited,
  C42: overflowing,
  C43: permanent,
  C44: failureAfterText,
};
