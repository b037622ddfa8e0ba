import { giteaSamples } from '../gitea-samples.ts';

export const samples = giteaSamples('x-gitea-event');
