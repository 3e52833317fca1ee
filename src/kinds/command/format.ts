/** The evidence of a program in a few words. */
import type { EvidenceFormat } from '../kind/evidence.ts';

export const commandFormat: EvidenceFormat = {
  when: ['exitCode'],
  words: ({ exitCode, signal, stdout, stderr }, show) => {
    const end = typeof signal === 'string' ? `ended by ${signal}` : `exit code ${String(exitCode)}`;
    const failed = exitCode !== 0 && typeof stderr === 'string' && stderr.trim() !== '';
    const text = failed ? stderr : stdout;
    if (typeof text !== 'string' || text.trim() === '') return `${end}, no output`;
    return `${end}, ${failed ? 'stderr' : 'stdout'} ${show(text.trimEnd())}`;
  },
};
