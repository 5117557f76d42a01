import { expect, test } from 'vitest';
import { findCommandFacts } from '../../../src/kinds/find-facts.ts';
import {
  isDeleteOperation,
  isOperationFinished,
  isRecordedAsOperation,
  matchRecordWithCommand,
  readOperationOutcome,
} from '../../../src/kinds/operation-types.ts';
import { commandNames } from '../../../src/model/account/command.ts';

test.each([
  ['Queued', 'unfinished', false],
  ['Running', 'unfinished', false],
  ['InProgress', 'unfinished', false],
  ['Succeeded', 'succeeded', true],
  ['Failed', 'failed', true],
  ['succeeded', 'succeeded', true],
  ['Completed', 'unknown', false],
  ['', 'unknown', false],
  ['constructor', 'unknown', false],
])('the status %j is %s', (status, outcome, finished) => {
  expect(readOperationOutcome({ status })).toBe(outcome);
  expect(isOperationFinished({ status })).toBe(finished);
});

test.each([
  ['Provision', 'createVm', 'yes'],
  ['Provision', 'createNetwork', 'yes'],
  ['Stop', 'stopVm', 'yes'],
  ['CreateBackup', 'stopVm', 'no'],
  ['Migrate', 'stopVm', 'maybe'],
  ['AttachNetwork', 'attachVm', 'yes'],
] as const)('a %s record may be that of %s: %s', (type, command, expected) => {
  expect(matchRecordWithCommand({ type }, command)).toBe(expected);
});

test.each([
  ['Delete', true],
  ['DeleteNetwork', true],
  ['ReleasePublicIp', true],
  ['Provision', false],
  ['DropV2', false],
])('a %s record is that of a deletion: %s', (type, expected) => {
  expect(isDeleteOperation({ type })).toBe(expected);
});

test.each(commandNames.filter(isRecordedAsOperation))(
  '%s says how long it is taken to need',
  (command) => {
    expect(findCommandFacts(command).assumedSeconds).toBeGreaterThan(0);
  },
);
