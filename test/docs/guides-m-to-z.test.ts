/** The guides from M to Z do what they say. */
import { testPages } from './test-pages.ts';

testPages((page) => /^docs\/guides\/[m-z]/.test(page));
