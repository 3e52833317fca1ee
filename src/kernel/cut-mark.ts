/** Stands in a text for a part that is not kept, mostly its end: it is unknown. */
export const cutMark = '‹cut›';
