/** The place inside the first occurrence of a text: after the first byte of a character, or half the bytes of more. */
import type { PlaceFinder } from './place-finder.ts';

export function textFinder(text: string): PlaceFinder {
  const wanted = Buffer.from(text, 'utf8');
  const isOneCharacter = [...text].length === 1;
  const inside = isOneCharacter ? 1 : wanted.length >> 1;
  let kept = Buffer.alloc(0);
  let passed = 0;
  return {
    push: (bytes) => {
      const searched = Buffer.concat([kept, bytes]);
      const at = searched.indexOf(wanted);
      if (at !== -1) {
        const place = at + inside;
        return { bytes: place, found: `inside ${JSON.stringify(text)}, after ${passed + place} bytes` };
      }
      const keep = beginning(searched, wanted);
      kept = Buffer.from(searched.subarray(searched.length - keep));
      passed += searched.length - keep;
      return { bytes: searched.length - keep };
    },
  };
}

/** How many of the last bytes are a prefix of the wanted ones. */
function beginning(bytes: Buffer, wanted: Buffer): number {
  for (let count = Math.min(bytes.length, wanted.length - 1); count > 0; count -= 1) {
    if (bytes.subarray(bytes.length - count).equals(wanted.subarray(0, count))) return count;
  }
  return 0;
}
