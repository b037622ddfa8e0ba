import { writeFileSync } from 'node:fs';
import { DOCUMENT_FILE, describeService, printDocument } from './service-document.ts';

writeFileSync(DOCUMENT_FILE, printDocument(describeService()));
