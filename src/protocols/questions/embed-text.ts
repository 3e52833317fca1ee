/** A vector for a text: the same for the same text, of length one, and nearer to texts with which it shares words. */
import { createRandom } from '../../kernel/random.ts';

const placesOfWord = 8;
/** How much of a vector is of this very text, and not of its words. */
const ownShare = 0.1;

export function embedText(text: string, dimensions: number): readonly number[] {
  const vector = new Float64Array(dimensions);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) addWord(vector, word);
  const random = createRandom(`text/${text}`);
  const strength = (lengthOf(vector) * ownShare || 1) * Math.sqrt(12 / dimensions);
  for (let at = 0; at < dimensions; at += 1)
    vector[at] = (vector[at] as number) + strength * (random.next() - 0.5);
  const length = lengthOf(vector) || 1;
  return Array.from(vector, (value) => Math.round((value / length) * 1e8) / 1e8);
}

function addWord(vector: Float64Array, word: string): void {
  const random = createRandom(`word/${word}`);
  for (let count = 0; count < placesOfWord; count += 1) {
    const at = random.integer(0, vector.length - 1);
    vector[at] = (vector[at] as number) + (random.next() < 0.5 ? -1 : 1);
  }
}

function lengthOf(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}
