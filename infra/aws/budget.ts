import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { Settings } from './settings/settings.ts';

/** The monthly budget: warns at 80 % of the cost, and as soon as the forecast for the month exceeds it. */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, amountDollars: number, settings: Settings) {
    super(scope, id);
    const { alarmEmail, budgetEmail, alarmTopicArn } = settings;
    const emails = [budgetEmail, alarmEmail].filter((value) => value !== undefined);
    const subscribers = [
      ...[...new Set(emails)].map((address) => ({ subscriptionType: 'EMAIL', address })),
      ...(alarmTopicArn ? [{ subscriptionType: 'SNS', address: alarmTopicArn }] : []),
    ];
    const warn = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        threshold,
        thresholdType: 'PERCENTAGE',
        comparisonOperator: 'GREATER_THAN',
      },
      subscribers,
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: amountDollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [warn('ACTUAL', 80), warn('FORECASTED', 100)],
    });
  }
}
