import * as z from 'zod/mini';
import { json, type ValuesOf } from '#shared/api/parameters.ts';
import type { OrganizationPicture } from '#shared/domain/organization/organization.ts';

/** An organization has one logo for light and one for dark themes. */
export const logoParameters = { night: json(z.boolean(), 'The logo for dark surroundings') };

export const readLogo = ({ night }: ValuesOf<typeof logoParameters>): OrganizationPicture =>
  night ? 'night_logo' : 'logo';
