import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeService, printDocument } from '#infra/openapi/service-document.ts';
import { describeOperations } from './api-page.ts';
import { describeDecisions } from './decisions-page.ts';
import { describeCatalogue, describeIntegrations, loadIntegrations } from './integrations-page.ts';
import { describePermissions } from './permissions-page.ts';
import { describeSettings } from './settings-page.ts';

const integrations = await loadIntegrations();
writeFileSync('shared/domain/integrations/catalogue.json', describeCatalogue(integrations));
mkdirSync('docs/integrations', { recursive: true });

/** The pages generated from the code, by their path below `docs`. */
const pages = {
  'api.md': describeOperations(),
  'decisions/README.md': describeDecisions(),
  'openapi.json': printDocument(describeService()),
  'operations/settings.md': describeSettings(),
  'permissions.md': describePermissions(),
  ...describeIntegrations(integrations),
};

for (const [path, text] of Object.entries(pages)) writeFileSync(join('docs', path), text);
