/** Writes the JSON Schemas for editors into `schema/`, and the page about the keys of compose files. */
import { writeFileSync } from 'node:fs';
import { requirementsSchemaText } from '../src/requirements/requirement-document.ts';
import { keysPageText } from '../src/system/compose/keys-page.ts';
import { boundariesSchemaText, catalogueSchemaText, systemSchemaText } from '../src/system/json-schema.ts';
import { trialSchemaText } from '../src/trials/load/json-schema.ts';
import { quarantineSchemaText } from '../src/trials/quarantine/quarantine-document.ts';

writeFileSync(new URL('../schema/system.schema.json', import.meta.url), systemSchemaText());
writeFileSync(new URL('../schema/trial.schema.json', import.meta.url), trialSchemaText());
writeFileSync(new URL('../schema/boundaries.schema.json', import.meta.url), boundariesSchemaText());
writeFileSync(new URL('../schema/catalogue.schema.json', import.meta.url), catalogueSchemaText());
writeFileSync(new URL('../schema/requirements.schema.json', import.meta.url), requirementsSchemaText());
writeFileSync(new URL('../schema/quarantine.schema.json', import.meta.url), quarantineSchemaText());
writeFileSync(new URL('../docs/reference/compose.md', import.meta.url), keysPageText());
