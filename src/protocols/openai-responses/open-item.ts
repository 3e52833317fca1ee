/** One item of an answer while it is put together: a message, a call of a tool, reasoning, or something that we only pass on. */
import type { JsonMap } from '../../kernel/is-map.ts';
import { createTextSlot, type TextSlot } from './text-slot.ts';

export interface OpenItem {
  /** Its position; a guess until it is given. */
  index: number;
  /** Undefined until something says what it is. */
  type: string | undefined;
  id: string | undefined;
  callId: string | undefined;
  name: string | undefined;
  namespace: string | undefined;
  encrypted: string | undefined;
  /** As last received, for items that have no meaning of their own here. */
  value: JsonMap | undefined;
  isAdded: boolean;
  /** It was marked as done, alone or with the whole answer. */
  isDone: boolean;
  /** It was cut short, and the provider says so. */
  isIncomplete: boolean;
  /** It was found again in the output of the whole answer. */
  isReconciled: boolean;
  readonly input: TextSlot;
  /** Of a message or of reasoning, by `content_index`. */
  readonly content: Map<number, ContentSlot>;
  /** Of reasoning, by `summary_index`. */
  readonly summary: Map<number, TextSlot>;
}

export interface ContentSlot extends TextSlot {
  /** `output_text`, `refusal`, `reasoning_text`, or something that is passed on. */
  type: string | undefined;
  value: unknown;
}

export function createOpenItem(index: number): OpenItem {
  return {
    index,
    type: undefined,
    id: undefined,
    callId: undefined,
    name: undefined,
    namespace: undefined,
    encrypted: undefined,
    value: undefined,
    isAdded: false,
    isDone: false,
    isIncomplete: false,
    isReconciled: false,
    input: createTextSlot(),
    content: new Map(),
    summary: new Map(),
  };
}

export function contentSlot(item: OpenItem, index: number): ContentSlot {
  return slotAt(item.content, index, () => ({ ...createTextSlot(), type: undefined, value: undefined }));
}

export function summarySlot(item: OpenItem, index: number): TextSlot {
  return slotAt(item.summary, index, createTextSlot);
}

function slotAt<S>(slots: Map<number, S>, index: number, create: () => S): S {
  const found = slots.get(index);
  if (found !== undefined) return found;
  const created = create();
  slots.set(index, created);
  return created;
}
