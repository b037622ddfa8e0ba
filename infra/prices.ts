/**
 * List prices in dollars: us-east-1, November 2026, without any free tier. Everything in dollars that the bench prints
 * comes from here; elsewhere, or later, this is the one place to change.
 */
export const prices = {
  asOf: '2026-11',
  region: 'us-east-1',
  dynamodb: {
    /** On demand: one request unit reads 4 KB strongly, 8 KB eventually consistent, or writes 1 KB. */
    perReadUnit: 0.125 / 1e6,
    perWriteUnit: 0.625 / 1e6,
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
  },
  lambda: {
    perRequest: 0.2 / 1e6,
    /** On arm64; from the start of an invocation to its end, whether it computes or waits. */
    perGbSecond: 0.0000133334,
    /** For executions that are ready, whether they are used or not. */
    perProvisionedGbSecond: 0.0000033334,
  },
  /** HTTP API, the first 300 million requests of a month. */
  gateway: { perRequest: 1 / 1e6 },
  cloudFront: {
    perRequest: 1 / 1e6,
    /** The function that passes on the viewer's address. */
    perFunctionCall: 0.1 / 1e6,
    perGbToInternet: 0.085,
  },
  /** WebSocket APIs; a message has up to 32 KB. */
  webSocket: { perConnectionMinute: 0.25 / 1e6, perMessage: 1 / 1e6 },
  /**
   * AWS publishes no prices of web functions. Assumed here: the prices of Lambda, where 1 769 MB come with one
   * processor, for the processor time and a second time for the memory that a process holds.
   */
  assumedWebFunction: {
    perRequest: 0.2 / 1e6,
    perProcessorSecond: 0.0000133334 * (1769 / 1024),
    perGbSecond: 0.0000133334,
  },
  scheduler: { perInvocation: 1 / 1e6 },
  s3: { storagePerGbMonth: 0.023, perPut: 5 / 1e6, perGet: 0.4 / 1e6 },
  cloudWatch: {
    logsPerGb: 0.5,
    /** A custom metric; metrics of AWS services cost nothing. */
    perMetricMonth: 0.3,
    /** For each metric that an alarm watches. */
    perAlarmMonth: 0.1,
    perDashboardMonth: 3,
  },
  transfer: { perGbToInternet: 0.09 },
  /** What every account gets each month for nothing, however old it is. Only the bill at rest knows it. */
  alwaysFree: {
    alarmMetrics: 10,
    dashboards: 3,
    logsGb: 5,
    lambdaRequests: 1e6,
    lambdaGbSeconds: 400_000,
    dynamodbStorageGb: 25,
  },
  /** A small server with a fixed price, for comparison; not of AWS in particular. */
  virtualMachine: { perMonth: 20 },
} as const;

export interface Units {
  read: number;
  write: number;
}

/** What capacity units cost. */
export const dollarsOf = ({ read, write }: Units): number =>
  read * prices.dynamodb.perReadUnit + write * prices.dynamodb.perWriteUnit;

/** The price of requests through gateway and functions, by their number and the memory and time that they take in all. */
export const dollarsOfCalls = (calls: number, gbSeconds: number): number =>
  calls * (prices.gateway.perRequest + prices.lambda.perRequest) + gbSeconds * prices.lambda.perGbSecond;
