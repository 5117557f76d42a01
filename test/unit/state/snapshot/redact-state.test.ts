import { describe, expect, it } from 'vitest';
import {
  decodeJournal,
  encodeJournalBase,
  encodeJournalRecord,
} from '../../../../src/state/journal/journal-format.ts';
import type { JournalRecord } from '../../../../src/state/journal/records.ts';
import {
  isCommandFitForFile,
  isResourceSameInFile,
  redactResourceForFile,
} from '../../../../src/state/snapshot/redact-state.ts';
import { buildVm } from '../build-records.ts';

const web = buildVm('web', { sensitive: ['name'] });
const withheld = { ...web, attributes: { image: 'debian-12', networks: ['lan'] } };

describe('what is sensitive', () => {
  it('is left out of a resource, whose other attributes stay', () => {
    expect(redactResourceForFile(web)).toEqual(withheld);
    expect(redactResourceForFile(buildVm('web'))).toEqual(buildVm('web'));
  });

  it('takes along what the account shows of it', () => {
    expect(redactResourceForFile({ ...web, shown: { name: 'WEB' }, accepted: ['name'] })).toEqual(
      withheld,
    );
    const shown = buildVm('web', { sensitive: ['image'], shown: { name: 'WEB' } });
    expect(redactResourceForFile(shown).shown).toEqual({ name: 'WEB' });
  });

  it('is left out of a rebuild that may be, or was, taken back', () => {
    const values = { name: 'www', image: 'debian-13' };
    const wayBack = { backup: 'b-1', asked: values, target: values };
    const resource = buildVm('web', { sensitive: ['image'], wayBack, failedTarget: values });
    const left = { name: 'www' };
    expect(redactResourceForFile(resource)).toMatchObject({
      wayBack: { backup: 'b-1', asked: left, target: left },
      failedTarget: left,
    });
    expect(JSON.stringify(redactResourceForFile(resource))).not.toContain('debian-13');
  });

  it.each<JournalRecord>([
    { kind: 'bound', resource: web },
    { kind: 'settled', resource: web },
    { kind: 'ended', id: web.id, resource: web },
    { kind: 'rearranged', removed: [], resources: [web] },
  ])('stands in no record: $kind', (record) => {
    const text =
      encodeJournalBase({ id: 'j', lineage: 'l', serial: 1, epoch: 1 }) +
      encodeJournalRecord(record);
    const [read] = decodeJournal(text, 'journal').records;
    expect(read).toEqual(
      'resource' in record
        ? { ...record, resource: withheld }
        : { ...record, resources: [withheld] },
    );
  });

  it('stands in no command that a file keeps', () => {
    const rename = {
      address: web.address,
      command: { kind: 'renameVm', project: 'p', vm: web.id, name: 'www' },
      at: 1,
    } as const;
    expect(isCommandFitForFile(rename, web)).toBe(false);
    expect(isCommandFitForFile(rename, buildVm('web'))).toBe(true);
    expect(isCommandFitForFile(rename)).toBe(true);
    const stop = { kind: 'stopVm', project: 'p', vm: web.id } as const;
    expect(isCommandFitForFile({ ...rename, command: stop }, web)).toBe(true);
  });

  it('makes no difference to what a file says', () => {
    expect(isResourceSameInFile(web, withheld)).toBe(true);
    expect(isResourceSameInFile(web, buildVm('web'))).toBe(false);
    expect(isResourceSameInFile(web, undefined)).toBe(false);
  });
});
