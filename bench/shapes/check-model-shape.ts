/** Whether a shape of a model's answer does to drawn turns what its row of the corpus says. */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createRandom } from '../../src/kernel/random.ts';
import { dialects } from '../../src/protocols/dialects/dialect-table.ts';
import type { Shape } from '../../src/protocols/shapes/shape.ts';
import { foldAnswer } from '../../src/protocols/shapes/wire-answer.ts';
import {
  type DialectName,
  dialectNames,
  type FoldedPart,
  type FoldedTurn,
  type Turn,
} from '../../src/protocols/turn/turn.ts';
import { askedForAll } from '../../test/harness/asked-for-all.ts';
import { drawTurn } from '../../test/harness/generate-turn.ts';
import { sameTurn } from '../../test/harness/same-turn.ts';

export type ShapeVerdict =
  /** How many answers were made and were right. */
  { readonly right: number } | { readonly wrong: string };

const draws = 25;

/** Every answer that it makes must be right, and there must be one for each dialect that it is said to be over. */
export function checkModelShape(shape: Shape): ShapeVerdict {
  let right = 0;
  for (const dialect of dialectNames.filter((name) => shape.over.includes(name))) {
    let made = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const wrong = checkDraw(shape, dialect, `${shape.id}/${dialect}/${draw}`);
      if (typeof wrong === 'string') return { wrong: `${dialect}, draw ${draw}: ${wrong}` };
      made += wrong === undefined ? 0 : 1;
    }
    if (made === 0) return { wrong: `${dialect}: nothing is made of ${draws} drawn turns` };
    right += made;
  }
  return { right };
}

/** Undefined where the turn has nothing that the shape is about; a text says what is wrong. */
function checkDraw(shape: Shape, dialect: DialectName, seed: string): true | string | undefined {
  const random = createRandom(seed);
  const turn = drawTurn(random.fork('turn'), { dialect });
  const about = {
    id: 'id_1',
    model: 'some-model',
    createdAt: 1_700_000_000,
    wantsUsage: true,
    pieceChars: 5,
  };
  const streamed = random.next() < 0.8;
  const answer = shape.make?.({
    dialect,
    turn,
    about,
    streamed,
    asked: askedForAll,
    random: random.fork('shape'),
  });
  if (answer === undefined) return undefined;
  const folded = foldAnswer(dialects[dialect], answer, { decode });
  return (isIllegal(shape) ? takenForWhole(folded) : difference(shape, turn, folded)) ?? true;
}

function decode(encoding: string, bytes: Uint8Array): Uint8Array {
  return encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}

export function isIllegal({ tier, policy }: Shape): boolean {
  return tier === '1' || policy === 'reject';
}

function takenForWhole({ complete, faults, error }: FoldedTurn): string | undefined {
  if (complete) return 'an illegal answer counts as complete';
  return faults.length === 0 && error === undefined ? 'nothing says what is wrong with it' : undefined;
}

function difference(shape: Shape, turn: Turn, folded: FoldedTurn): string | undefined {
  const changes = shape.changes ?? [];
  const options = {
    ...(changes.includes('ids') ? { ids: false as const } : {}),
    ...(changes.includes('stop') ? { stop: false as const } : {}),
    ...(changes.includes('usage') ? { usage: false as const } : {}),
  };
  const isFlat = changes.includes('parts');
  const meant = isFlat ? { ...turn, parts: flat(turn.parts) } : turn;
  const found = isFlat ? { ...folded, parts: flat(folded.parts) } : folded;
  const other = sameTurn(folded.dialect, meant, found, options);
  if (other !== undefined) return other;
  if (folded.faults.length > 0) return `a legal answer breaks ${folded.faults[0]?.rule}`;
  // A reason to stop such as `network_error` is kept with the text, and told as a failure.
  return folded.complete || (shape.id === 'C20' && folded.error !== undefined)
    ? undefined
    : 'it is not complete';
}

/** The joined texts, and the calls. */
function flat<Part extends FoldedPart>(parts: readonly Part[]): Part[] {
  const joined = (kinds: readonly string[]): string =>
    parts.map((part) => ('text' in part && kinds.includes(part.kind) ? part.text : '')).join('');
  return [
    { kind: 'reasoning', text: joined(['reasoning']) } as Part,
    { kind: 'text', text: joined(['text']) } as Part,
    { kind: 'refusal', text: joined(['refusal']) } as Part,
    ...parts.filter(({ kind }) => kind === 'call'),
  ];
}
