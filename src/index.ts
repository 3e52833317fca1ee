/** What `import … from 'shakedown'` gives. */
export { defineSystem, model, postgres, ref } from './system/define-system.ts';
export type { SystemDocument } from './system/document/system-document.ts';
