import { expect, it, test } from 'vitest';
import { enumWords, recordShapes } from '../../../src/api/contract/shapes.ts';
import {
  resourceKindMeanings,
  vocabularyMeanings,
} from '../../../src/binding/vocabulary/meanings.ts';
import { foreignWords } from '../../../src/binding/vocabulary/languages.ts';
import { enumWordSynonyms } from '../../../src/binding/vocabulary/enum-words.ts';
import { findMemberSense } from '../../../src/binding/vocabulary/senses.ts';
import { BindingLexicon, splitWords } from '../../../src/binding/vocabulary/words.ts';
import { matchEnumWords } from '../../../src/binding/match/match-words.ts';

test.each([
  ['publicIpId', 'public ip id'],
  ['SSHKeys', 'ssh key'],
  ['private_ip_addresses', 'private ip address'],
  ['vm-sizes', 'vm size'],
  ['VMs', 'vm'],
  ['vCPUs', 'vcpu'],
  ['floatingips', 'floating ip'],
  ['quotas', 'quota'],
  ['statuses', 'status'],
  ['policies', 'policy'],
])('%s is split into %s', (name, words) => expect(splitWords(name).join(' ')).toBe(words));

test.each([
  ['vm', 'configurationId', 'flavor_id'],
  ['vm', 'configurationId', 'sizeId'],
  ['vm', 'tariffId', 'pricePlanId'],
  ['vm', 'bootStatus', 'power_state'],
  ['vm', 'ram', 'memoryMb'],
  ['vm', 'sshKeyIds', 'keypairIds'],
  ['publicIp', 'address', 'ipv4Address'],
  ['portForward', 'vmPort', 'targetPort'],
  ['operation', 'completedAt', 'finishedAt'],
])('%s.%s may be called %s', (record, member, name) =>
  expect(
    new BindingLexicon().likeness(findMemberSense(record, member), splitWords(name), record),
  ).toBeGreaterThan(0.85),
);

test.each([
  ['vm', 'name', 'image_name'],
  ['vm', 'status', 'power_state'],
  ['vm', 'createdAt', 'updatedAt'],
  ['portForward', 'vmPort', 'externalPort'],
])('%s.%s is not surely what is called %s', (record, member, name) =>
  expect(
    new BindingLexicon().likeness(findMemberSense(record, member), splitWords(name), record),
  ).toBeLessThan(0.6),
);

it('learns what a document calls a thing', () => {
  const lexicon = new BindingLexicon();
  const plan = ['plan'];
  expect([lexicon.likeness(['configuration'], plan), lexicon.likeness(['tariff'], plan)]).toEqual([
    0.65, 0.65,
  ]);
  lexicon.learn('configuration', plan);
  expect([lexicon.likeness(['configuration'], plan), lexicon.likeness(['tariff'], plan)]).toEqual([
    0.96, 0,
  ]);
});

test('each member of the contract is found by its own name, and each kind is a meaning', () => {
  const lexicon = new BindingLexicon();
  const lost = Object.entries(recordShapes).flatMap(([record, members]) =>
    Object.keys(members)
      .filter((name) => lexicon.likeness(findMemberSense(record, name), splitWords(name), '') < 0.6)
      .map((name) => `${record}.${name}`),
  );
  expect([lost, [...resourceKindMeanings].filter((kind) => !vocabularyMeanings[kind])]).toEqual([
    [],
    [],
  ]);
});

test('no word of an enum means two of the contract, and none that the contract lacks is explained', () => {
  const wrong = Object.entries(enumWordSynonyms).flatMap(([name, table]) => {
    const seen = new Map<string, string>();
    return Object.entries(table).flatMap(([ours, { same }]) => [
      ...(enumWords[name]?.includes(ours) ? [] : [`${name}.${ours}`]),
      ...same.split(', ').flatMap((word) => {
        const other = seen.get(word);
        seen.set(word, ours);
        return other === undefined || other === ours
          ? []
          : [`${name}: ${word} is ${other} and ${ours}`];
      }),
    ]);
  });
  expect(wrong).toEqual([]);
});

test.each(
  // prettier-ignore
  [
    ['vmBootStatus', ['PoweredOn', 'POWERED_OFF', 'SUSPENDED'], { Running: ['PoweredOn'], Stopped: ['POWERED_OFF'] }],
    ['apiOperationStatus', ['done', 'finished', 'error'], { Succeeded: ['done', 'finished'], Failed: ['error'] }],
    ['resourceOperation', ['vm.create', 'backup_delete'], { Provision: ['vm.create'], DeleteBackup: ['backup_delete'] }],
  ],
)('the words of %s: %j', (name, theirs, bound) =>
  expect(Object.fromEntries(matchEnumWords(name, theirs).bound)).toEqual(bound),
);

test('no word of another language is in the table twice', () => {
  const seen = new Map<string, readonly string[]>();
  const twice = foreignWords.filter(([word, meaning]) => {
    const isSeen = seen.has(word);
    seen.set(word, meaning);
    return isSeen;
  });
  expect([seen.size > 500, twice]).toEqual([true, []]);
});

test.each([
  ['vm', 'macchine'],
  ['network', 'reti-private'],
  ['publicIp', 'indirizziPubblici'],
  ['sshKey', 'chiavi-ssh'],
  ['sshKey', 'claves-ssh'],
  ['image', 'immagini'],
  ['operation', 'operazioni'],
  ['sale', 'abbonamenti'],
  ['reboot', 'riavvia'],
  ['rename', 'rinomina'],
  ['internalIp', 'ipInterno'],
  ['pageSize', 'dimensionePagina'],
])('%s may be called %s', (meaning, name) =>
  expect(new BindingLexicon().likeness([meaning], splitWords(name))).toBeGreaterThan(0.85),
);
