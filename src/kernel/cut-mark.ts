/** Marks the end of a text of which only the beginning is kept: the rest is unknown. */
export const cutMark = '‹cut›';
