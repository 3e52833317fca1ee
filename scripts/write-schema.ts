/** Writes the JSON Schemas for editors into `schema/`. */
import { writeFileSync } from 'node:fs';
import { systemSchemaText } from '../src/system/json-schema.ts';
import { trialSchemaText } from '../src/trials/json-schema.ts';

writeFileSync(new URL('../schema/system.schema.json', import.meta.url), systemSchemaText());
writeFileSync(new URL('../schema/trial.schema.json', import.meta.url), trialSchemaText());
