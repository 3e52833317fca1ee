/** Stands at the end of a text of which only the beginning is kept: what would lie behind it is not known. */
export const cutMark = '‹cut›';
