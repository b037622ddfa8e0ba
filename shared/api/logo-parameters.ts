import * as z from 'zod/mini';
import type { OrganizationPicture } from '#shared/domain/organization/organization.ts';
import { json, type ValuesOf } from './parameters.ts';

/** An organization has a logo for light and one for dark surroundings. */
export const logoParameters = { night: json(z.boolean(), 'The logo for dark surroundings') };

export const readLogo = ({ night }: ValuesOf<typeof logoParameters>): OrganizationPicture =>
  night ? 'night_logo' : 'logo';
