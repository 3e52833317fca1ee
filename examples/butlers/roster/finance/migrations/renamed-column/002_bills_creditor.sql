-- Applied only with DEFECT=renamed-column: nobody told the tool bill_add.
ALTER TABLE bills RENAME COLUMN payee TO creditor;
