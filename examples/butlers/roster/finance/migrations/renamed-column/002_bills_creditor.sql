-- Applied only with DEFECT=renamed-column: the tool bill_add still writes the old name.
ALTER TABLE bills RENAME COLUMN payee TO creditor;
