/** The keys of a `process` check. */
import { commonCheckKeys, serviceName } from '../kind/keys-of-all.ts';
import { closed } from '../kind/values.ts';

export const processDocument = closed({ process: serviceName, ...commonCheckKeys }, 'a process check');
