import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { createBigBlueButtonCall } from '../calls/create-big-blue-button-call.ts';
import { createZoomCall } from '../calls/create-zoom-call.ts';
import { getBigBlueButtonCall } from '../calls/get-big-blue-button-call.ts';
import { joinBigBlueButtonCall } from '../calls/join-big-blue-button-call.ts';
import { createExport } from '../exports/create-export.ts';
import { deleteExport } from '../exports/delete-export.ts';
import { downloadExport } from '../exports/download-export.ts';
import { listExportConsents } from '../exports/list-export-consents.ts';
import { listExports } from '../exports/list-exports.ts';
import { createLinkifier } from '../linkifiers/create-linkifier.ts';
import { deleteLinkifier } from '../linkifiers/delete-linkifier.ts';
import { editLinkifier } from '../linkifiers/edit-linkifier.ts';
import { listLinkifiers } from '../linkifiers/list-linkifiers.ts';
import { reorderLinkifiers } from '../linkifiers/reorder-linkifiers.ts';
import { createDomain } from '../organization/create-domain.ts';
import { deactivateOrganization } from '../organization/deactivate-organization.ts';
import { deleteDomain } from '../organization/delete-domain.ts';
import { deleteOrganizationIcon } from '../organization/delete-organization-icon.ts';
import { deleteOrganizationLogo } from '../organization/delete-organization-logo.ts';
import { editDomain } from '../organization/edit-domain.ts';
import { editOrganization } from '../organization/edit-organization.ts';
import { editUserDefaults } from '../organization/edit-user-defaults.ts';
import { getOrganizationIcon } from '../organization/get-organization-icon.ts';
import { getOrganizationLogo } from '../organization/get-organization-logo.ts';
import { listDomains } from '../organization/list-domains.ts';
import { testWelcomeMessage } from '../organization/test-welcome-message.ts';
import { uploadOrganizationIcon } from '../organization/upload-organization-icon.ts';
import { uploadOrganizationLogo } from '../organization/upload-organization-logo.ts';
import { createPlayground } from '../playgrounds/create-playground.ts';
import { deletePlayground } from '../playgrounds/delete-playground.ts';
import { checkCompatibility } from '../server/check-compatibility.ts';
import { getApiDocument } from '../server/get-api-document.ts';
import { getServerSettings } from '../server/get-server-settings.ts';
import { reportCspViolation } from '../server/report-csp-violation.ts';

/** The organization and the server. */
export const organizationRoutes = {
  checkCompatibility,
  createBigBlueButtonCall,
  createDomain,
  createExport,
  createLinkifier,
  createPlayground,
  createZoomCall,
  deactivateOrganization,
  deleteDomain,
  deleteExport,
  deleteLinkifier,
  deleteOrganizationIcon,
  deleteOrganizationLogo,
  deletePlayground,
  downloadExport,
  editDomain,
  editLinkifier,
  editOrganization,
  editUserDefaults,
  getApiDocument,
  getBigBlueButtonCall,
  getOrganizationIcon,
  getOrganizationLogo,
  getServerSettings,
  joinBigBlueButtonCall,
  listDomains,
  listExportConsents,
  listExports,
  listLinkifiers,
  reorderLinkifiers,
  reportCspViolation,
  testWelcomeMessage,
  uploadOrganizationIcon,
  uploadOrganizationLogo,
} satisfies Record<string, AnyEndpoint>;
