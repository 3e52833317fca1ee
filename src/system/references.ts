/** References as configs use them. */
export * from '../kernel/references.ts';
