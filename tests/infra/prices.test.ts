import { describe, expect, test } from 'vitest';
import { dollarsOf, dollarsOfCalls, prices } from '#infra/prices.ts';

/** As on the price pages of AWS: for a million requests, or for the named unit. */
const MILLION = 1e6;

describe('The list prices of us-east-1', () => {
  const { dynamodb, lambda, gateway, cloudFront, webSocket, assumedWebFunction, scheduler, s3 } = prices;
  const { cloudWatch, transfer, virtualMachine } = prices;

  test.each([
    ['read units', dynamodb.perReadUnit, 0.125],
    ['write units', dynamodb.perWriteUnit, 0.625],
    ['calls of functions', lambda.perRequest, 0.2],
    ['GB seconds of functions on arm64', lambda.perGbSecond, 13.3334],
    ['requests of an HTTP API', gateway.perRequest, 1],
    ['requests of a distribution', cloudFront.perRequest, 1],
    ['calls of a function of a distribution', cloudFront.perFunctionCall, 0.1],
    ['minutes of connections of a WebSocket API', webSocket.perConnectionMinute, 0.25],
    ['messages of a WebSocket API', webSocket.perMessage, 1],
    ['calls of schedules', scheduler.perInvocation, 1],
    ['files that are put', s3.perPut, 5],
    ['files that are got', s3.perGet, 0.4],
  ])('Contain a million %s', (_what, price, dollars) => {
    expect(price * MILLION).toBeCloseTo(dollars, 9);
  });

  test('Contain a gigabyte that is stored for a month, logged or sent to the Internet', () => {
    expect([dynamodb.storagePerGbMonth, dynamodb.pointInTimeRecoveryPerGbMonth]).toEqual([0.25, 0.2]);
    expect([s3.storagePerGbMonth, cloudWatch.logsPerGb]).toEqual([0.023, 0.5]);
    expect([transfer.perGbToInternet, cloudFront.perGbToInternet]).toEqual([0.09, 0.085]);
  });

  test('Contain a month of monitoring, and of a small server', () => {
    const { perMetricMonth, perAlarmMonth, perDashboardMonth } = cloudWatch;
    expect([perMetricMonth, perAlarmMonth, perDashboardMonth]).toEqual([0.3, 0.1, 3]);
    expect(virtualMachine.perMonth).toBe(20);
    expect([prices.asOf, prices.region]).toEqual(['2026-11', 'us-east-1']);
  });

  test('Include a web function at the prices of functions, with a processor for 1 769 MB', () => {
    expect(assumedWebFunction.perRequest).toBe(lambda.perRequest);
    expect(assumedWebFunction.perGbSecond).toBe(lambda.perGbSecond);
    expect(assumedWebFunction.perProcessorSecond).toBeCloseTo(lambda.perGbSecond * (1769 / 1024), 12);
  });
});

describe('The computed price', () => {
  test('For units is the sum of reads and writes', () => {
    expect(dollarsOf({ read: 8 * MILLION, write: 0 })).toBeCloseTo(1, 9);
    expect(dollarsOf({ read: 0, write: 8 * MILLION })).toBeCloseTo(5, 9);
    expect(dollarsOf({ read: 8 * MILLION, write: 8 * MILLION })).toBeCloseTo(6, 9);
  });

  test('For requests is the sum of gateway, functions and their memory', () => {
    expect(dollarsOfCalls(MILLION, 0)).toBeCloseTo(1.2, 9);
    expect(dollarsOfCalls(0, MILLION)).toBeCloseTo(13.3334, 9);
    expect(dollarsOfCalls(MILLION, MILLION)).toBeCloseTo(14.5334, 9);
  });
});
