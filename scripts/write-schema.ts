/** Writes the JSON Schemas for editors into `schema/`. */
import { writeFileSync } from 'node:fs';
import { systemSchemaText } from '../src/system/json-schema.ts';

writeFileSync(new URL('../schema/system.schema.json', import.meta.url), systemSchemaText());
