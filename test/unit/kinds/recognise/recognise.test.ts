import { whole } from '../../../support/whole.ts';
import { describe, expect, it } from 'vitest';
import {
  classifyShownCreate,
  pickCreatedResource,
} from '../../../../src/kinds/recognise/classify-create.ts';
import {
  findRenamedLookalikes,
  listLookalikeResources,
  recogniseCreatedResources,
  type CreateAttempt,
} from '../../../../src/kinds/recognise/recognise.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { LiveRecordOfKind, LiveResource } from '../../../../src/model/account/live.ts';
import { makeLive } from '../../../support/account.ts';

const inProject = { project: 'p-1' };
const { projects, resources } = makeLive({
  projects: {
    'p-1': {
      name: 'shop',
      sshKeys: { 'k-1': { name: 'alice' }, 'k-2': { name: 'bob' } },
      networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'wan' } },
      publicIps: {
        'ip-1': {
          forwards: {
            'f-1': { publicPort: 443, vm: 'vm-1', vmPort: 8443 },
            'f-2': { protocol: 'udp', publicPort: 443, vm: 'vm-1', vmPort: 8443 },
          },
        },
        'ip-2': {},
      },
      vms: {
        'vm-1': { name: 'web', sshKeys: ['k-1'], networks: ['n-1'], publicIp: 'ip-1' },
        'vm-2': { name: 'db', power: 'stopped' },
      },
    },
    'p-2': { name: 'blog', networks: { 'n-3': { name: 'lan' } } },
  },
});
const all = [...projects, ...resources];
const find = (id: string): LiveResource => all.find((one) => one.id === id)!;
const keyOf = (id: string) =>
  whole(find(id) as Extract<LiveResource, { kind: 'sshKey' }>).publicKey;
const vmOf = (id: string) => whole(find(id) as Extract<LiveResource, { kind: 'vm' }>);

/** As ssh-keygen prints its fingerprint. */
const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2aB alice';
const keyPrint = 'SHA256:4CpM6mn6xXQGJ1comjrbqNJ+NOPax1llvcbZFdMkHrg';

const createVm = {
  kind: 'createVm',
  ...inProject,
  name: 'web',
  imageId: vmOf('vm-1').imageId,
  configurationId: vmOf('vm-1').configurationId,
  tariffId: vmOf('vm-1').tariffId,
  sshKeys: ['k-1'],
  publicIp: 'ip-1',
  plugins: [],
} as const satisfies ResolvedCommand;
const forward = {
  ...{ kind: 'createPortForward', ...inProject, publicIp: 'ip-1', protocol: 'tcp' },
  ...{ publicPort: 443, vm: 'vm-1', vmPort: 8443 },
} as const satisfies ResolvedCommand;
const bob = { kind: 'createSshKey', ...inProject, name: 'bob', publicKey: keyOf('k-2') } as const;
const lan = { kind: 'createNetwork', ...inProject, name: 'lan' } as const;
const blog = { kind: 'createProject', name: 'blog' } as const;
const address = { kind: 'createPublicIp', ...inProject } as const;

const idsOf = (found: readonly LiveResource[]) => found.map(({ id }) => id);
const nobody = () => false;
/** What is recognised, as ids: ours, then doubtful, then rivals. */
function sorted(attempt: Partial<CreateAttempt> & Pick<CreateAttempt, 'command'>, among = all) {
  const { ours, doubtful, rivals } = recogniseCreatedResources(
    { knownIds: [], ...attempt },
    among,
    nobody,
  );
  return [idsOf(ours), idsOf(doubtful), idsOf(rivals)];
}

describe('what a create made', () => {
  it.each<[string, ResolvedCommand, string[]]>([
    ['a project by its name', blog, ['p-2']],
    ['a network of this project', lan, ['n-1']],
    ['a network of another', { ...lan, project: 'p-2' }, ['n-3']],
    ['no network of a name that nothing has', { ...lan, name: 'dmz' }, []],
    ['an SSH key by its name and its key', bob, ['k-2']],
    ['whatever comment the service keeps', { ...bob, publicKey: `${bob.publicKey} you` }, ['k-2']],
    ['a VM by its name', createVm, ['vm-1']],
    ['a public IP that no VM holds', address, ['ip-2']],
    ['a port forward by its port', forward, ['f-1']],
    ['a port forward by its protocol', { ...forward, protocol: 'udp' }, ['f-2']],
    ['no port forward of another public IP', { ...forward, publicIp: 'ip-2' }, []],
  ])('is %s', (_what, command, ours) => expect(sorted({ command })[0]).toEqual(ours));

  it.each<[string, ResolvedCommand, string[]]>([
    ['a project', blog, ['p-2']],
    ['a public IP', address, ['ip-2']],
  ])('is never %s that was known before', (_what, command, knownIds) => {
    expect(sorted({ command, knownIds })).toEqual([[], [], []]);
    expect(
      idsOf(recogniseCreatedResources({ command, knownIds: [] }, all, () => true).ours),
    ).toEqual([]);
  });

  it.each<[string, ResolvedCommand, string]>([
    ['another image', { ...createVm, imageId: 'img-debian-13' }, 'vm-1'],
    ['another configuration', { ...createVm, configurationId: 'cfg-other' }, 'vm-1'],
    ['another tariff', { ...createVm, tariffId: 'trf-other' }, 'vm-1'],
    ['another SSH key on its disk', { ...createVm, sshKeys: ['k-2'] }, 'vm-1'],
    ['an address that was not asked for', { ...createVm, publicIp: 'none' }, 'vm-1'],
    ['another address', { ...createVm, publicIp: 'ip-2' }, 'vm-1'],
    ['other plugins', { ...createVm, plugins: ['monitoring'] }, 'vm-1'],
    ['another public key', { ...bob, publicKey: keyOf('k-1') }, 'k-2'],
    ['another VM behind its port', { ...forward, vm: 'vm-2' }, 'f-1'],
  ])('is nothing of the same name with %s: that is somebody else’s', (_what, command, id) => {
    const live = find(id);
    const among = live.kind === 'vm' ? [{ ...live, plugins: ['backup'] }] : [live];
    const told = command.kind === 'createVm' && !_what.includes('plugins');
    expect(
      sorted({ command: told ? { ...command, plugins: ['backup'] } : command }, among),
    ).toEqual([[], [], [id]]);
  });

  const thin = { ...vmOf('vm-1'), tariffId: undefined, sshKeyIds: [], plugins: undefined };
  const backedUp = { ...createVm, plugins: ['backup'] };

  it('is what tells less than was asked for, where the service took it', () => {
    const taken = { command: backedUp, acceptedServiceAt: 2_000_000 };
    expect(sorted(taken, [thin])[0]).toEqual(['vm-1']);
  });

  it('is a key without its text by its fingerprint, and not by one of another sort', () => {
    const alice = { kind: 'createSshKey', ...inProject, name: 'alice', publicKey: key } as const;
    const thinKey = { ...find('k-1'), publicKey: undefined } as LiveResource;
    const told = (fingerprint: string) => [{ ...thinKey, fingerprint } as LiveResource];
    const attempt = { command: alice, knownIds: [] };
    const isKnown = () => false;
    expect(recogniseCreatedResources(attempt, told(keyPrint), isKnown).ours).toHaveLength(1);
    expect(recogniseCreatedResources(attempt, told('MD5:00:11'), isKnown)).toMatchObject({
      ours: [],
      unproven: [{ id: 'k-1' }],
    });
  });

  it('is not proved by what tells less than was asked for: that is for a person to say', () => {
    const attempt = { command: backedUp, knownIds: [] };
    const recognised = recogniseCreatedResources(attempt, [thin], () => false);
    expect(recognised).toMatchObject({ ours: [], unproven: [{ id: 'vm-1' }], rivals: [] });
    const shown = classifyShownCreate(recognised, attempt, true);
    expect(shown).toMatchObject({ kind: 'ambiguous', candidates: [{ id: 'vm-1' }] });
    const other = { ...thin, imageId: 'another' };
    expect(recogniseCreatedResources(attempt, [other], () => false)).toMatchObject({
      unproven: [],
    });
  });

  it('may be two where the service allows two of one name', () => {
    expect(sorted({ command: lan }, [...all, { ...find('n-1'), id: 'n-9' }])[0]).toEqual([
      'n-1',
      'n-9',
    ]);
  });

  const tooEarly = 1_000_000;
  it.each<[string, Partial<CreateAttempt>, number | null, 'ours' | 'doubtful' | 'rivals']>([
    ['new since the sending', { serviceAt: 2_000_000 }, 2_000_500, 'ours'],
    ['within the skew of clocks', { serviceAt: 2_000_000 }, 1_996_000, 'ours'],
    ['created before the sending', { serviceAt: 2_000_000 }, tooEarly, 'rivals'],
    ['without a time', { serviceAt: 2_000_000 }, null, 'ours'],
    ['told by a service without a Date', {}, tooEarly, 'ours'],
    [
      'created before, and accepted',
      { serviceAt: 2_000_000, acceptedServiceAt: 2_001_000 },
      tooEarly,
      'doubtful',
    ],
    [
      'created long after the acceptance',
      { serviceAt: 2_000_000, acceptedServiceAt: 2_001_000 },
      3_000_000,
      'doubtful',
    ],
  ])('%s', (_what, attempt, createdAt, expected) => {
    const found = recogniseCreatedResources(
      { command: lan, knownIds: [], ...attempt },
      [{ ...find('n-1'), createdAt }],
      nobody,
    );
    expect(idsOf(found[expected])).toEqual(['n-1']);
  });

  it.each([
    ['trimmed', '  lan '],
    ['in another case', 'LAN'],
  ])('is of a name that the service keeps %s, where nothing has the exact one', (_what, name) => {
    const rewritten = { ...lan, name };
    expect(sorted({ command: rewritten }, [find('n-1')])[0]).toEqual(['n-1']);
    const exact = { ...find('n-1'), id: 'n-9', name };
    expect(sorted({ command: rewritten }, [find('n-1'), exact as LiveResource])[0]).toEqual([
      'n-9',
    ]);
  });

  it('in two normal forms of one name is found in ten thousand in no time', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      ...find('n-1'),
      id: `n-${index}`,
      name: `caf\u00e9-${index}`,
    })) as LiveResource[];
    for (let index = 0; index < 10_000; index += 1) {
      const command = { ...lan, name: `cafe\u0301-${index}` };
      expect(sorted({ command }, many)[0]).toEqual([`n-${index}`]);
    }
  });
});

describe('of several that a create may have made', () => {
  const at = (id: string, createdAt: number) => ({ ...find('n-1'), id, createdAt });
  const command = lan;
  it.each<[string, number | undefined, LiveResource[], string | undefined]>([
    ['the only one', undefined, [at('n-1', 5)], 'n-1'],
    ['none, where no answer came', undefined, [at('n-1', 5), at('n-2', 900_000)], undefined],
    ['the one of about the acceptance', 1_000, [at('n-1', 900), at('n-2', 50_000)], 'n-1'],
    ['none, where two are', 1_000, [at('n-1', 900), at('n-2', 901)], undefined],
  ])('%s is it', (_what, acceptedServiceAt, ours, expected) => {
    expect(pickCreatedResource(ours, { command, knownIds: [], acceptedServiceAt })?.id).toBe(
      expected,
    );
  });
});

describe('what may be ours under another name', () => {
  const renamed = { ...find('n-1'), name: 'by-hand', createdAt: 2_000 } as LiveResource;
  it.each<[string, Partial<CreateAttempt>, LiveResource, boolean]>([
    ['is new since the sending', { serviceAt: 1_500 }, renamed, true],
    ['was not there before', { serviceAt: 5_000 }, renamed, false],
    ['has a time', { serviceAt: 1_500 }, { ...renamed, createdAt: null }, false],
    ['is measured by the time of the service', {}, renamed, false],
    ['is not among all that were there', { isAllKnown: true, knownIds: ['n-0'] }, renamed, true],
    ['was among all that were there', { isAllKnown: true, knownIds: ['n-1'] }, renamed, false],
    ['does not have our name', { serviceAt: 1_500 }, { ...find('n-1'), createdAt: 2_000 }, false],
  ])('%s', (_what, attempt, live, isAlike) => {
    const found = findRenamedLookalikes({ command: lan, knownIds: [], ...attempt }, [live], nobody);
    expect(idsOf(found)).toEqual(isAlike ? ['n-1'] : []);
  });

  it('is equal in all that never changes', () => {
    const other = { ...vmOf('vm-1'), name: 'by-hand', createdAt: 2_000 };
    const attempt = { command: createVm, knownIds: [], serviceAt: 1_500 };
    expect(idsOf(findRenamedLookalikes(attempt, [other], nobody))).toEqual(['vm-1']);
    expect(findRenamedLookalikes(attempt, [{ ...other, tariffId: 'trf-other' }], nobody)).toEqual(
      [],
    );
  });
});

describe('what could be mistaken for what a create is about to make', () => {
  it.each<[string, ResolvedCommand, string[]]>([
    ['a network of its name', { ...lan, name: 'Lan' }, ['n-1']],
    ['every public IP, held or not', address, ['ip-1', 'ip-2']],
    ['a forward on its port', forward, ['f-1']],
  ])('is %s', (_what, command, ids) =>
    expect(idsOf(listLookalikeResources(command, all))).toEqual(ids),
  );
});

describe('what a create of an access token made', () => {
  const day = 86_400_000;
  const token = { kind: 'createToken', name: 'ci', scopes: ['compute'], expiresIn: null } as const;
  const tokens = makeLive({
    tokens: {
      't-1': { name: 'ci', scopes: ['compute'], expiresAt: 90 * day },
      't-2': { name: 'ci', scopes: ['compute'] },
      't-3': { name: 'ci', scopes: ['network'] },
      't-4': { name: 'cd', scopes: ['compute'] },
    },
  }).resources;
  it.each<[string, number | null, string[]]>([
    ['an access token without an end', null, ['t-2']],
    ['an access token of about that end', 90 * day + 3_600_000, ['t-1']],
    ['no access token of another end', 30 * day, []],
  ])('%s', (_what, end, found) => {
    const expiresAt = end === null ? null : new Date(end).toISOString();
    expect(sorted({ command: { ...token, expiresAt } }, tokens as LiveResource[])[0]).toEqual(
      found,
    );
  });
});

describe('the plugins of a VM', () => {
  const asked = { ...createVm, plugins: ['docker'] };
  const lost: CreateAttempt = { command: asked, knownIds: [] };
  const accepted: CreateAttempt = { ...lost, serviceAt: 0, acceptedServiceAt: 1_000 };
  const vm = { ...vmOf('vm-1'), createdAt: 500 };
  const isOurs = (attempt: CreateAttempt, live: LiveResource) =>
    recogniseCreatedResources(attempt, [live], () => false).ours.length > 0;

  it.each<[string, CreateAttempt, Partial<LiveRecordOfKind<'vm'>>, boolean]>([
    ['are those asked for', lost, { plugins: ['docker'] }, true],
    ['are others', lost, { plugins: ['backup-agent'] }, false],
    ['are told to be none', lost, { plugins: [] }, false],
    ['are told to be none while it is made', lost, { plugins: [], status: 'creating' }, false],
    ['are not told', lost, { plugins: undefined }, false],
    ['are not told after an acceptance', accepted, { plugins: undefined }, true],
    ['may follow after an acceptance', accepted, { plugins: [], status: 'creating' }, true],
    ['did not follow', accepted, { plugins: [], status: 'active' }, false],
    ['are others after an acceptance', accepted, { plugins: ['a'], status: 'creating' }, false],
  ])('%s', (_, attempt, told, expected) => {
    expect(isOurs(attempt, { ...vm, ...told })).toBe(expected);
  });
});
