/** An edge as it is written: `switchboard -> health`; `*` is any end. */
export const edgePattern = /^(\*|[a-z][\w.-]*)\s*->\s*(\*|[a-z][\w.-]*)$/;
