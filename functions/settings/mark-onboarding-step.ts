import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isOnboardingStep } from '#shared/domain/settings/onboarding-steps.ts';

const MAX_NAME_LENGTH = 100;

/**
 * Marks a hint of a client as seen. Nothing is stored: `POST /register` reports that the user has seen all of them, so
 * that no client shows any.
 */
export const markOnboardingStep = endpoint({
  route: 'POST /users/me/onboarding_steps',
  summary: 'Mark an onboarding step as seen',
  allow: 'human',
  params: { onboarding_step: text(z.string(), 'The name of the step') },
  result: nothing,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'none' },
  async handle({ onboarding_step: step }) {
    if (!isOnboardingStep(step))
      throw new BadRequest(`Unknown onboarding_step: ${step.slice(0, MAX_NAME_LENGTH)}`);
    return {};
  },
});

export const handler = lambda(markOnboardingStep, awsServices);
