/** Property tests draw the same examples in every run; `PROPERTY_SEED=random` or a number draws others. */
import fc from 'fast-check';

const chosen = process.env.PROPERTY_SEED ?? '20261117';
if (chosen !== 'random') fc.configureGlobal({ seed: Number(chosen) });
