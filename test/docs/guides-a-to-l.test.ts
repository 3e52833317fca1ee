/** The guides from A to L do what they say. */
import { testPages } from './test-pages.ts';

testPages((page) => /^docs\/guides\/[a-l]/.test(page));
