/** Sizes as people write them (`512B`, `16KB`, `1.5MB`, `2GB`), in bytes; 1 KB is 1024 bytes. */

const unitBytes: Record<string, number> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** The bytes, or undefined when the text is not a size. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s?(B|KB|MB|GB)$/i.exec(text.trim());
  if (!match) return undefined;
  return Number(match[1]) * (unitBytes[(match[2] as string).toUpperCase()] as number);
}

/** A short text for people: `312 B`, `4.0 KB`, `17.3 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [unit, size] = Object.entries(unitBytes)
    .reverse()
    .find(([, unitSize]) => bytes >= unitSize) as [string, number];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
