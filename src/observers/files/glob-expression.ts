/** Globs, as everything that looks for files reads them. */
export { globBase, globDepth, globExpression } from '../../patterns/glob-expression.ts';
