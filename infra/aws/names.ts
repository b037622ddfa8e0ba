import type { Stack } from 'aws-cdk-lib';

/**
 * The resource names of a deployment. Stacks find each other by these names instead of exported values, which
 * cannot be removed while in use, and a function keeps its ARN when it is replaced.
 */
export const names = (stage: string) => ({
  table: `team-chat-${stage}`,
  bus: `team-chat-${stage}`,
  /** Bucket names are global, hence account and region. */
  filesBucket: ({ account, region }: Stack) => `team-chat-${stage}-${account}-${region}`,
  scheduleGroup: `team-chat-${stage}`,
  /**
   * The SecureString from which API keys are derived. CloudFormation cannot create one; the bootstrap does.
   */
  secretParameter: `/team-chat/${stage}/api-key-secret`,
  /** The SecureString with our credentials at the push relay; the operator writes it. */
  pushRelayKeyParameter: `/team-chat/${stage}/push-relay-key`,
  /** The SecureString with our key at the provider of GIFs; the operator writes it. */
  gifKeyParameter: `/team-chat/${stage}/gif-key`,
  /** The SecureStrings with the key of JSON web tokens and the secret of the Zoom app; the operator writes them. */
  jwtKeyParameter: `/team-chat/${stage}/jwt-key`,
  zoomSecretParameter: `/team-chat/${stage}/zoom-secret`,
  /** The stateless stack stores the address of the API here. */
  urlParameter: `/team-chat/${stage}/url`,
  /** It stores the id of the API here, which AWS assigns. */
  apiIdParameter: `/team-chat/${stage}/api-id`,
  /** The stack of the event socket stores the address that clients connect to here, and the id of its API. */
  socketUrlParameter: `/team-chat/${stage}/socket-url`,
  socketApiIdParameter: `/team-chat/${stage}/socket-api-id`,
  /** The stateful stack stores the ARN of the table's stream here, which AWS assigns. */
  tableStreamParameter: `/team-chat/${stage}/table-stream`,
  /** The WebSocket API. */
  sockets: `team-chat-${stage}-sockets`,
  /** The stack of the poller stores the host of its web function here, which AWS assigns. */
  pollerHostParameter: `/team-chat/${stage}/poller-host`,
  /** The secret shared with the video call server; the operator writes it. */
  callsSecret: `team-chat-${stage}-calls`,
  /** How SES sends our mails. */
  mailConfiguration: `team-chat-${stage}`,
  /** The secret that identifies the distribution in front of the API. */
  originSecret: `team-chat-${stage}-origin`,
  scheduleDeadLetters: `team-chat-${stage}-failed-schedules`,
  jobDeadLetters: `team-chat-${stage}-failed-jobs`,
  functionLogs: `/team-chat/${stage}/functions`,
  // In every account the log delivery service may create log streams under this prefix.
  accessLogs: `/aws/vendedlogs/team-chat/${stage}/access`,
  /** Metrics counted from the service's log lines. */
  metrics: `team-chat/${stage}`,
  function: (name: string) => `team-chat-${stage}-${name}`,
});

/** The version of a function with executions that are ready. */
export const READY_ALIAS = 'ready';
/** The function that schedules invoke to deliver a due message. */
export const DELIVERY_FUNCTION = 'deliver-scheduled-message';
/** The function that does the jobs on the bus. */
export const JOB_FUNCTION = 'run-job';
/** The function that push notification hints on the bus invoke. */
export const NOTIFIER_FUNCTION = 'notify-devices';
/** The function that makes requests to addresses of strangers, and may do nothing else. */
export const OUTSIDE_FUNCTION = 'call-outside';
/** The web function that holds polls. */
export const POLLER = 'poller';
/** The function that answers what clients send through their sockets. */
export const ANSWER_SOCKET_FUNCTION = 'answer-socket';
/** The function that pushes new entries of the log to sockets. */
export const PUSHER_FUNCTION = 'push-events';
/** The function that repairs and finds overdue work. */
export const SWEEP_FUNCTION = 'sweep';
