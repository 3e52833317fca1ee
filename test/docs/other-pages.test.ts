/** The README, the reference and all other pages do what they say. */
import { testPages } from './test-pages.ts';

testPages((page) => !page.startsWith('docs/guides/'));
