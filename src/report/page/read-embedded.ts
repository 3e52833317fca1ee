/** Unpacks what the document embeds: the index at once, the journals of a trial when it is opened. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { embeddedIds, type ReportedTrial, type ReportIndex } from './embedded-report.ts';

export interface EmbeddedReport {
  readonly index: ReportIndex;
  /** Undefined where a trial left no evidence, or it was left out. */
  trial(id: string): Promise<ReportedTrial | undefined>;
}

export async function readEmbedded(page: Document): Promise<EmbeddedReport> {
  const index = (await unpack(page, embeddedIds.index)) as ReportIndex;
  const chunks = new Map<number, Promise<readonly ReportedTrial[]>>();
  const open = (number: number): Promise<readonly ReportedTrial[]> => {
    const known = chunks.get(number);
    if (known) return known;
    const chunk = unpack(page, `${embeddedIds.chunk}${number}`) as Promise<readonly ReportedTrial[]>;
    chunks.set(number, chunk);
    return chunk;
  };
  return {
    index,
    trial: async (id) => {
      const number = index.chunkOf[id];
      return number === undefined ? undefined : (await open(number)).find((trial) => trial.id === id);
    },
  };
}

async function unpack(page: Document, id: string): Promise<unknown> {
  const text = page.getElementById(id)?.textContent;
  if (text === undefined || text === null) throw new Error(`the report is not complete: ${id} is missing`);
  const packed = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return parseExactJson(await new Response(stream).text());
}
