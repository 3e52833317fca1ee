/** How a step names its target, and a program that it starts. */
import { z } from 'zod';
import { text } from './values.ts';

const targetRule = 'a service, or `service.listener`';
export const target = z.string(targetRule).regex(/^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)?$/, targetRule);

const argvRule = "a list of texts such as ['node', 'cli.js'], or one text for sh -c";
export const argv = z.union([text, z.array(z.string('a text'), argvRule).min(1, argvRule)], argvRule);
