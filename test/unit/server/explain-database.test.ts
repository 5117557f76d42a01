import { describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../../src/model/errors.ts';
import { explainStartDatabaseError } from '../../../src/server/explain-database.ts';
import { BackendError } from '../../../src/state/backends/backend-error.ts';

const url = 'postgres://hostwright:hunter22@db.test:5432/infra';
/** As the library makes them. */
const said = (code: string, message: string) =>
  Object.assign(new Error(message), { code, severity: 'FATAL' });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('a database that a server cannot use', () => {
  it.each([
    [refused, 'server-database-unusable', /cannot be used/, /PostgreSQL runs/],
    [new AggregateError([refused]), 'server-database-unusable', /cannot be used/, /runs/],
    [
      new Error('Client has encountered a connection error and is not queryable'),
      ...(['server-database-unusable', /cannot be used/, /./] as const),
    ],
    [said('3D000', 'database "infra" does not exist'), 'server-database-unusable', /./, /is there/],
    [said('28P01', 'password authentication failed'), 'server-database-unusable', /./, /password/],
    [said('42501', 'permission denied for database'), 'server-database-unusable', /./, /owns/],
    [said('42P01', 'relation does not exist'), 'server-database-empty', /no server in/, /once/],
  ])('%s', (error, code, summary, hint) => {
    const explained = explainStartDatabaseError(error, url) as DiagnosticError;
    expect(explained).toBeInstanceOf(DiagnosticError);
    const [one] = explained.diagnostics;
    expect(one).toMatchObject({ code });
    expect(one?.summary).toMatch(summary);
    expect(one?.summary).toContain('db.test:5432/infra');
    expect(one?.hint).toMatch(hint);
    expect(JSON.stringify(explained.diagnostics)).not.toContain('hunter22');
  });

  it('is explained once', () => {
    const known = new BackendError('unreachable', 'The database cannot be reached: timeout');
    const { diagnostics } = explainStartDatabaseError(known, url) as DiagnosticError;
    expect(diagnostics[0]?.detail).toBe('The database cannot be reached: timeout');
  });

  it('is nothing else', () => {
    for (const error of [
      new TypeError('x is undefined'),
      new Error('The look has ended'),
      new DiagnosticError([]),
      'text',
    ])
      expect(explainStartDatabaseError(error, url)).toBe(error);
  });
});
