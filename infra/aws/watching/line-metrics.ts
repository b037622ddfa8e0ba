import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  FilterPattern,
  type IFilterPattern,
  type ILogGroup,
  LogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { POLLER_WORDS } from '#infra/poller/watch.ts';
import { UNREACHABLE_WORDS } from '#shared/api/lambda.ts';
import { names } from '../names.ts';
import type { Settings } from '../settings/settings.ts';
import { PERIOD } from './metrics.ts';

/** The log line of a sweep task that failed starts with these words. */
export const SWEEP_FAILURE_WORDS = 'The sweep could not';
/** The log line of a sweep that came to its end. */
export const SWEEP_END_WORDS = 'The sweep is through';
/** The field of a log line that has the time from an append to the look of a waiting poll that found it. */
export const SEEN_FIELD = 'appendToSeenMs';

/** Metrics read from log lines: those that no service of AWS has. Each costs, in the hours in which it has a value. */
export class LineMetrics extends Construct {
  /** Work that the sweep could not do, though it is the last to try. */
  readonly overdue: Metric;
  /** Requests without an answer from the table. */
  readonly unreachable: Metric;
  /** Sweeps that came to their end; without a value while there is none. */
  readonly sweeps: Metric;
  /** Milliseconds from an append to the look of a waiting poll that found it. */
  readonly appendToSeen: Metric;
  /** Of a web function: what it failed, answered late and turned away. */
  readonly poller: Record<keyof typeof POLLER_WORDS, Metric> | undefined;
  readonly #stage: string;
  readonly #logGroup: ILogGroup;

  constructor(scope: Construct, id: string, { stage, poller }: Pick<Settings, 'stage' | 'poller'>) {
    super(scope, id);
    this.#stage = stage;
    this.#logGroup = LogGroup.fromLogGroupName(this, 'Logs', names(stage).functionLogs);
    this.overdue = this.#count('Overdue', SWEEP_FAILURE_WORDS);
    this.unreachable = this.#count('TableUnreachable', UNREACHABLE_WORDS);
    this.sweeps = this.#count('Sweeps', SWEEP_END_WORDS);
    // A clock that is behind gives values below 0, and a metric with one of those has no percentiles.
    const pattern = FilterPattern.numberValue(`$.${SEEN_FIELD}`, '>=', 0);
    this.appendToSeen = this.#read('AppendToSeen', pattern, `$.${SEEN_FIELD}`);
    if (poller === 'web-function')
      this.poller = {
        failure: this.#count('PollerFailures', POLLER_WORDS.failure),
        late: this.#count('PollerLate', POLLER_WORDS.late),
        refusal: this.#count('PollerRefusals', POLLER_WORDS.refusal),
      };
  }

  #count(metricName: string, words: string): Metric {
    return this.#read(metricName, FilterPattern.allTerms(words), '1');
  }

  #read(metricName: string, filterPattern: IFilterPattern, metricValue: string): Metric {
    const filter = new MetricFilter(this, metricName, {
      logGroup: this.#logGroup,
      metricNamespace: names(this.#stage).metrics,
      metricName,
      filterPattern,
      metricValue,
    });
    return filter.metric({ statistic: 'Sum', period: PERIOD });
  }
}
