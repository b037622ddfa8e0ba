import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  FilterPattern,
  type IFilterPattern,
  type ILogGroup,
  LogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { LATE_PUSH_WORDS } from '#functions/sockets/push-events.ts';
import { POLLER_WORDS } from '#infra/poller/watch.ts';
import { THROTTLED_WORDS, UNREACHABLE_WORDS } from '#shared/api/lambda.ts';
import { names } from '../names.ts';
import type { Settings } from '../settings/settings.ts';
import { metricOf } from './metrics.ts';

/** The log line of a sweep task that failed starts with these words. */
export const SWEEP_FAILURE_WORDS = 'The sweep could not';
/** The field of a log line that has the time from an append to the look of a waiting poll that found it. */
export const SEEN_FIELD = 'appendToSeenMs';
/** A reply that took longer than this is slow, unless it answers a poll. */
const SLOW_MS = 5_000;
const POLLS = '/api/v1/events';

/** How much a line counts; at 1 within a period the alarm fires. */
const EACH = 1;
const FIFTH = 0.2;
const TWENTIETH = 0.05;

/** Metrics read from log lines. Each costs only in the hours in which it has a value. */
export class LineMetrics extends Construct {
  /** What an operator must look at: failed work, failed functions, many server errors, slow or refused requests. */
  readonly failures: Metric;
  /** Milliseconds from an append to the look of a waiting poll that found it. */
  readonly appendToSeen: Metric;
  readonly #stage: string;
  readonly #functions: ILogGroup;
  readonly #requests: ILogGroup;

  constructor(scope: Construct, id: string, { stage, poller }: Pick<Settings, 'stage' | 'poller'>) {
    super(scope, id);
    this.#stage = stage;
    this.#functions = LogGroup.fromLogGroupName(this, 'Logs', names(stage).functionLogs);
    this.#requests = LogGroup.fromLogGroupName(this, 'Requests', names(stage).accessLogs);
    this.failures = metricOf(names(stage).metrics, 'Failures', {});
    this.#count('Overdue', SWEEP_FAILURE_WORDS, EACH);
    this.#count('LatePush', LATE_PUSH_WORDS, EACH);
    this.#count('TableUnreachable', UNREACHABLE_WORDS, FIFTH);
    this.#count('TableThrottled', THROTTLED_WORDS, FIFTH);
    if (poller === 'web-function')
      for (const [what, words] of Object.entries(POLLER_WORDS)) this.#count(`Poller-${what}`, words, EACH);
    this.#countFunctions();
    this.#countRequests();
    // A clock that is behind gives values below 0, and a metric with one of those has no percentiles.
    const pattern = FilterPattern.numberValue(`$.${SEEN_FIELD}`, '>=', 0);
    this.#read('AppendToSeen', this.#functions, pattern, {
      metricName: 'AppendToSeen',
      value: `$.${SEEN_FIELD}`,
    });
    this.appendToSeen = metricOf(names(stage).metrics, 'AppendToSeen', {});
  }

  #count(id: string, words: string, weight: number): void {
    this.#addFailures(id, this.#functions, FilterPattern.allTerms(words), weight);
  }

  /** The lines of Lambda itself: a function threw, ran out of time or memory, or could not start. */
  #countFunctions(): void {
    const failed = FilterPattern.any(
      FilterPattern.stringValue('$.level', '=', 'ERROR'),
      FilterPattern.stringValue('$.record.status', '=', 'error'),
      FilterPattern.stringValue('$.record.status', '=', 'timeout'),
    );
    this.#addFailures('FunctionFailures', this.#functions, failed, EACH);
  }

  /** Lines of the gateway end in the path of the route, the status, and the milliseconds of the answer. */
  #countRequests(): void {
    const line = () => FilterPattern.spaceDelimited('...', 'path', 'status', 'latency');
    this.#addFailures('ServerErrors', this.#requests, line().whereString('status', '=', '5*'), FIFTH);
    const slow = line().whereString('path', '!=', POLLS).whereNumber('latency', '>', SLOW_MS);
    this.#addFailures('SlowRequests', this.#requests, slow, TWENTIETH);
  }

  #addFailures(id: string, logGroup: ILogGroup, pattern: IFilterPattern, weight: number): void {
    this.#read(id, logGroup, pattern, { metricName: 'Failures', value: String(weight) });
  }

  #read(
    id: string,
    logGroup: ILogGroup,
    filterPattern: IFilterPattern,
    { metricName, value }: { metricName: string; value: string },
  ): void {
    new MetricFilter(this, id, {
      logGroup,
      metricNamespace: names(this.#stage).metrics,
      metricName,
      filterPattern,
      metricValue: value,
    });
  }
}
