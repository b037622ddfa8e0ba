import type { Integration } from './integration.ts';

/** The declarations of all integrations; a request loads one of them. */
const loaders = {
  airbrake: async () => (await import('./declared/airbrake.ts')).airbrake,
  airbyte: async () => (await import('./declared/airbyte.ts')).airbyte,
  alertmanager: async () => (await import('./declared/alertmanager.ts')).alertmanager,
  azuredevops: async () => (await import('./declared/azuredevops.ts')).azuredevops,
  bitbucket2: async () => (await import('./declared/bitbucket2.ts')).bitbucket2,
  bitbucket3: async () => (await import('./declared/bitbucket3.ts')).bitbucket3,
  circleci: async () => (await import('./declared/circleci.ts')).circleci,
  custom: async () => (await import('./declared/custom.ts')).custom,
  dbt: async () => (await import('./declared/dbt.ts')).dbt,
  freshdesk: async () => (await import('./declared/freshdesk.ts')).freshdesk,
  gitea: async () => (await import('./declared/gitea.ts')).gitea,
  github: async () => (await import('./declared/github.ts')).github,
  gitlab: async () => (await import('./declared/gitlab.ts')).gitlab,
  gogs: async () => (await import('./declared/gogs.ts')).gogs,
  grafana: async () => (await import('./declared/grafana.ts')).grafana,
  harbor: async () => (await import('./declared/harbor.ts')).harbor,
  heroku: async () => (await import('./declared/heroku.ts')).heroku,
  ifttt: async () => (await import('./declared/ifttt.ts')).ifttt,
  jira: async () => (await import('./declared/jira.ts')).jira,
  json: async () => (await import('./declared/json.ts')).json,
  linear: async () => (await import('./declared/linear.ts')).linear,
  netlify: async () => (await import('./declared/netlify.ts')).netlify,
  newrelic: async () => (await import('./declared/newrelic.ts')).newrelic,
  opencollective: async () => (await import('./declared/opencollective.ts')).opencollective,
  openproject: async () => (await import('./declared/openproject.ts')).openproject,
  opensearch: async () => (await import('./declared/opensearch.ts')).opensearch,
  opsgenie: async () => (await import('./declared/opsgenie.ts')).opsgenie,
  pagerduty: async () => (await import('./declared/pagerduty.ts')).pagerduty,
  pingdom: async () => (await import('./declared/pingdom.ts')).pingdom,
  sentry: async () => (await import('./declared/sentry.ts')).sentry,
  slack: async () => (await import('./declared/slack.ts')).slack,
  slack_incoming: async () => (await import('./declared/slack-incoming.ts')).slackIncoming,
  splunk: async () => (await import('./declared/splunk.ts')).splunk,
  statuspage: async () => (await import('./declared/statuspage.ts')).statuspage,
  stripe: async () => (await import('./declared/stripe.ts')).stripe,
  travis: async () => (await import('./declared/travis.ts')).travis,
  trello: async () => (await import('./declared/trello.ts')).trello,
  uptimerobot: async () => (await import('./declared/uptimerobot.ts')).uptimerobot,
  zapier: async () => (await import('./declared/zapier.ts')).zapier,
  zendesk: async () => (await import('./declared/zendesk.ts')).zendesk,
} satisfies Record<string, () => Promise<Integration>>;

export const integrationSlugs = Object.keys(loaders);

/** Other names of integrations whose senders are alike. */
const aliases: Record<string, string> = { forgejo: 'gitea' };

/** The declaration of an integration, or undefined for an unknown name. */
export async function findIntegration(name: string): Promise<Integration | undefined> {
  const slug = Object.hasOwn(aliases, name) ? (aliases[name] as string) : name;
  return isSlug(slug) ? loaders[slug]() : undefined;
}

const isSlug = (name: string): name is keyof typeof loaders => Object.hasOwn(loaders, name);
