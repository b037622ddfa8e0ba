import type { Integration } from '#shared/domain/integrations/integration.ts';

/** The declarations of all integrations; a request loads one of them. */
const loaders = {
  airbrake: async () => (await import('#shared/domain/integrations/declared/airbrake.ts')).airbrake,
  airbyte: async () => (await import('#shared/domain/integrations/declared/airbyte.ts')).airbyte,
  alertmanager: async () =>
    (await import('#shared/domain/integrations/declared/alertmanager.ts')).alertmanager,
  azuredevops: async () => (await import('#shared/domain/integrations/declared/azuredevops.ts')).azuredevops,
  bitbucket2: async () => (await import('#shared/domain/integrations/declared/bitbucket2.ts')).bitbucket2,
  bitbucket3: async () => (await import('#shared/domain/integrations/declared/bitbucket3.ts')).bitbucket3,
  circleci: async () => (await import('#shared/domain/integrations/declared/circleci.ts')).circleci,
  custom: async () => (await import('#shared/domain/integrations/declared/custom.ts')).custom,
  dbt: async () => (await import('#shared/domain/integrations/declared/dbt.ts')).dbt,
  freshdesk: async () => (await import('#shared/domain/integrations/declared/freshdesk.ts')).freshdesk,
  gitea: async () => (await import('#shared/domain/integrations/declared/gitea.ts')).gitea,
  github: async () => (await import('#shared/domain/integrations/declared/github.ts')).github,
  gitlab: async () => (await import('#shared/domain/integrations/declared/gitlab.ts')).gitlab,
  gogs: async () => (await import('#shared/domain/integrations/declared/gogs.ts')).gogs,
  grafana: async () => (await import('#shared/domain/integrations/declared/grafana.ts')).grafana,
  harbor: async () => (await import('#shared/domain/integrations/declared/harbor.ts')).harbor,
  heroku: async () => (await import('#shared/domain/integrations/declared/heroku.ts')).heroku,
  ifttt: async () => (await import('#shared/domain/integrations/declared/ifttt.ts')).ifttt,
  jira: async () => (await import('#shared/domain/integrations/declared/jira.ts')).jira,
  json: async () => (await import('#shared/domain/integrations/declared/json.ts')).json,
  linear: async () => (await import('#shared/domain/integrations/declared/linear.ts')).linear,
  netlify: async () => (await import('#shared/domain/integrations/declared/netlify.ts')).netlify,
  newrelic: async () => (await import('#shared/domain/integrations/declared/newrelic.ts')).newrelic,
  opencollective: async () =>
    (await import('#shared/domain/integrations/declared/opencollective.ts')).opencollective,
  openproject: async () => (await import('#shared/domain/integrations/declared/openproject.ts')).openproject,
  opensearch: async () => (await import('#shared/domain/integrations/declared/opensearch.ts')).opensearch,
  opsgenie: async () => (await import('#shared/domain/integrations/declared/opsgenie.ts')).opsgenie,
  pagerduty: async () => (await import('#shared/domain/integrations/declared/pagerduty.ts')).pagerduty,
  pingdom: async () => (await import('#shared/domain/integrations/declared/pingdom.ts')).pingdom,
  sentry: async () => (await import('#shared/domain/integrations/declared/sentry.ts')).sentry,
  slack: async () => (await import('#shared/domain/integrations/declared/slack.ts')).slack,
  slack_incoming: async () =>
    (await import('#shared/domain/integrations/declared/slack-incoming.ts')).slackIncoming,
  splunk: async () => (await import('#shared/domain/integrations/declared/splunk.ts')).splunk,
  statuspage: async () => (await import('#shared/domain/integrations/declared/statuspage.ts')).statuspage,
  stripe: async () => (await import('#shared/domain/integrations/declared/stripe.ts')).stripe,
  travis: async () => (await import('#shared/domain/integrations/declared/travis.ts')).travis,
  trello: async () => (await import('#shared/domain/integrations/declared/trello.ts')).trello,
  uptimerobot: async () => (await import('#shared/domain/integrations/declared/uptimerobot.ts')).uptimerobot,
  zapier: async () => (await import('#shared/domain/integrations/declared/zapier.ts')).zapier,
  zendesk: async () => (await import('#shared/domain/integrations/declared/zendesk.ts')).zendesk,
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
