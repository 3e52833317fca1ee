/** One item of an answer while it is put together: a message, a call of a tool, reasoning, or something that we only pass on. */
import type { JsonMap } from '../../kernel/is-map.ts';

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

export interface TextSlot {
  /** What it was announced with. */
  seed: string;
  deltas: string;
  /** The final text as announced; usually several times the same. */
  final: string | undefined;
}

function createTextSlot(): TextSlot {
  return { seed: '', deltas: '', final: undefined };
}

/** The whole as far as it is known. What was announced may come again as the first fragments. */
export function textOf({ seed, deltas, final }: TextSlot): string {
  if (final !== undefined) return final;
  return deltas.startsWith(seed) ? deltas : seed + deltas;
}

type Settling =
  | 'same'
  /** There were no fragments. */
  | 'only-now'
  /** It is empty although fragments came; the fragments are kept. */
  | 'empty'
  | 'differs';

/** Takes a text that is marked as complete. Where it contradicts the fragments, the longer of the two is kept. */
export function settleText(slot: TextSlot, whole: string): Settling {
  const known = textOf(slot);
  const isFirst = slot.final === undefined;
  if (whole === known || (isFirst && (whole === slot.seed + slot.deltas || whole === slot.deltas))) {
    slot.final = whole === known ? known : whole;
    return 'same';
  }
  if (known === '') {
    slot.final = whole;
    return 'only-now';
  }
  if (whole === '') return 'empty';
  if (whole.startsWith(known)) slot.final = whole;
  return 'differs';
}

/** True where the text had been marked as complete before. */
export function addFragment(slot: TextSlot, fragment: string): boolean {
  const wasFinal = slot.final !== undefined;
  if (slot.final !== undefined) {
    slot.deltas = slot.final;
    slot.seed = '';
    slot.final = undefined;
  }
  slot.deltas += fragment;
  return wasFinal && fragment !== '';
}
