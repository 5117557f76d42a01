// What decides a line beyond a name: nouns of the document, what a path holds, words, samples, and what is missing.
import { describe, expect, it, test } from 'vitest';
import { ServiceDialect } from '../../../src/api/binding/dialect.ts';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import { operationShapes } from '../../../src/api/contract/shapes.ts';
import { deriveBinding } from '../../../src/binding/derive-binding.ts';
import { compareBindingWithDocument } from '../../../src/commands/contract/hold-against-document.ts';
import { findMemberSense } from '../../../src/binding/vocabulary/senses.ts';
import { BindingLexicon, splitWords } from '../../../src/binding/vocabulary/words.ts';
import type { Binding, ListEnvelopeLine } from '../../../src/model/account/binding.ts';
import {
  buildDialectDocument,
  type DialectStyle,
  type Document,
} from '../../support/dialects/build-dialect-document.ts';
import { findWrongLines } from '../../support/dialects/find-wrong-lines.ts';

const openLines = ({ questions }: ReturnType<typeof deriveBinding>) =>
  questions.map(({ line }) => line);

/** What is wrong with the binding of a document, and what it asks. */
function derive(binding: Binding, style?: DialectStyle) {
  const derived = deriveBinding(buildDialectDocument(binding, style));
  return { wrong: findWrongLines(derived.binding, binding), open: openLines(derived) };
}

/** Operations with another name in place of a segment of the path. */
function renamed(from: string, to: string): Readonly<Record<string, string>> {
  const changed = Object.entries(routes).flatMap(([operation, { method, path }]) =>
    path.split('/').includes(from)
      ? [[operation, `${method} ${path.replace(`/${from}`, `/${to}`)}`] as const]
      : [],
  );
  return Object.fromEntries(changed);
}

interface Schema {
  readonly properties: Record<string, object>;
}

/** The contract's own document with other members of a schema. */
function withMembers(
  name: string,
  change: (properties: Readonly<Record<string, object>>) => Record<string, object>,
): Document {
  const document = buildDialectDocument({ version: 1 });
  const { schemas } = document.components as { schemas: Record<string, Schema> };
  const schema = schemas[name];
  if (schema) Object.assign(schema.properties, change(schema.properties));
  return document;
}

describe('a name is read with what the document calls its things', () => {
  test.each([
    ['operation', 'task', 'notificationPreferences', 'operationFailed', 'task_failed'],
    ['network', 'subnet', 'vm', 'networks', 'subnets'],
    ['project', 'workspace', 'limits', 'maxSshKeysPerProject', 'maxSshKeysPerWorkspace'],
    ['image', 'os template', 'backup', 'sourceImageId', 'sourceOsTemplateId'],
    ['vm', 'kiste', 'portForward', 'vmPort', 'kistePort'],
  ])('%s is %s: %s.%s is %5$s', (kind, noun, record, member, name) => {
    const lexicon = new BindingLexicon();
    const likeness = () =>
      lexicon.likeness(findMemberSense(record, member), splitWords(name), record);
    const before = likeness();
    lexicon.learn(kind, noun.split(' '));
    expect([before < 0.85, likeness() > 0.85]).toEqual([true, true]);
  });

  it('in the words of its enums', () => {
    const resourceType = { vm: 'kiste', network: 'kabel', publicIp: 'schild' };
    const operations = {
      ...renamed('vms', 'kisten'),
      ...Object.fromEntries(
        Object.entries({ ...renamed('networks', 'kabel'), ...renamed('public-ips', 'schild') }).map(
          ([operation, line]) => [operation, line.replace('/vms', '/kisten')],
        ),
      ),
    };
    const binding: Binding = { version: 1, operations, enums: { resourceType } };
    expect(derive(binding).wrong).toEqual([]);
  });
});

test.each([
  ['memoryGiB', 'memory gib'],
  ['vNets', 'v net'],
  ['AttachVNet', 'attach vnet'],
  ['VNets', 'vnet'],
  ['vps', 'vps'],
  ['vpses', 'vps'],
])('%s is split into %s', (name, words) => expect(splitWords(name).join(' ')).toBe(words));

describe('what holds the others', () => {
  const binding: Binding = { version: 1, operations: renamed('projects', 'kisten') };

  it('is the project where people create and delete it, and its deletion is asked about', () => {
    const open = ['operations.deleteProject'];
    expect(derive(binding, { isInline: true })).toEqual({ wrong: [], open });
  });

  it('is asked about where it is called as something else, and what it holds is not', () => {
    const clusters: Binding = { version: 1, operations: renamed('projects', 'clusters') };
    const limits = { projects: '/clusters' };
    const { wrong, open } = derive({ ...clusters, fields: { limits } }, { isInline: true });
    expect(wrong.filter((line) => !line.includes('open'))).toEqual([]);
    expect(open.filter((line) => !/Project$|listProjects/.test(line))).toEqual([]);
  });

  it.each(['post', 'delete'])('is asked about without %s: it may be a region', (method) => {
    const document = buildDialectDocument(binding, { isInline: true });
    const path = method === 'post' ? '/kisten' : '/kisten/{projectId}';
    const others = Object.entries(document.paths[path] ?? {}).filter(([one]) => one !== method);
    document.paths[path] = Object.fromEntries(others);
    const derived = deriveBinding(document);
    expect(openLines(derived)).toContain('operations.listProjects');
    expect(derived.binding.operations).toMatchObject({ getProject: 'open' });
  });
});

describe('what renews', () => {
  it('is a sale, whatever it is called', () => {
    const binding: Binding = { version: 1, operations: renamed('sales', 'invoices') };
    expect(derive(binding)).toEqual({ wrong: [], open: [] });
  });

  it('with one deed alone is none', () => {
    const without = { cancelSaleRenewal: 'none', resumeSaleRenewal: 'none' };
    const operations = { ...renamed('sales', 'invoices'), ...without };
    const document = buildDialectDocument({ version: 1, operations }, { isInline: true });
    document.paths['/invoices/{saleId}/renew'] = {
      post: { responses: { 200: { description: 'OK' } } },
    };
    expect(deriveBinding(document).binding.operations).toMatchObject({ getSale: 'none' });
  });
});

describe('a record', () => {
  it('in an envelope is found there, however its members are grouped', () => {
    const singles = Object.entries(operationShapes).filter(
      ([, { answer, isList }]) => answer !== undefined && isList !== true,
    );
    const answers = Object.fromEntries(singles.map(([operation]) => [operation, '/data']));
    const vm = {
      configurationId: '/plan/id',
      imageId: '/template/id',
      tariffId: '/billing/tariffId',
      cpu: '/hardware/cpu/cores',
      ram: '/hardware/memory/sizeGb',
      disk: '/hardware/disk/sizeGb',
      bootStatus: '/power/state',
      sshKeyIds: '/access/sshKeyIds',
      createdAt: '/meta/createdAt',
    };
    const configuration = {
      cpu: '/hardware/cpu/cores',
      ram: '/hardware/memory/sizeGb',
      disk: '/hardware/disk/sizeGb',
      availability: '/stock/availability',
      maxCount: '/stock/maxCount',
    };
    const binding: Binding = { version: 1, answers, fields: { vm, configuration } };
    expect(derive(binding)).toEqual({ wrong: [], open: [] });
  });

  it('counts VMs beside the counts, and not among them', () => {
    const fields = {
      project: { vmCount: '/serverCount' },
      projectResourceCounts: { vms: '/servers' },
    };
    expect(derive({ version: 1, fields })).toEqual({ wrong: [], open: [] });
  });

  it('refers to a thing from a group that says nothing, and from another one perhaps', () => {
    const at = (group: string) =>
      derive({ version: 1, fields: { vm: { saleId: `/${group}/saleId` } } });
    expect(at('billing')).toEqual({ wrong: [], open: [] });
    expect(at('origin').open).toContain('fields.vm.saleId');
  });

  it('refers to an address by its id, and by itself where addresses have no id', () => {
    const asked = (spoil: (properties: Record<string, object>) => void) => {
      const document = buildDialectDocument({ version: 1 });
      const { schemas } = document.components as { schemas: Record<string, Schema> };
      delete schemas.Vm!.properties.publicIpId;
      schemas.Vm!.properties.ipv4 = { type: 'string' };
      spoil(schemas.PublicIp!.properties);
      return deriveBinding(document).binding.fields?.vm;
    };
    expect(asked(() => undefined)).toEqual({ publicIpId: 'open' });
    const without = asked((properties) => delete properties.id);
    expect(without).toMatchObject({ publicIpId: { at: '/ipv4' } });
  });

  it('refers to no keys by the keys themselves', () => {
    const fields = { rebuildVm: { sshKeyIds: '/authorized_keys' } };
    expect(derive({ version: 1, fields }).open).toEqual(['fields.rebuildVm.sshKeyIds']);
  });

  it('that a creation answers in an envelope is found there', () => {
    const document = buildDialectDocument({ version: 1 });
    const make = (path: string, schema: object) => {
      const answer = { description: 'OK', content: { 'application/json': { schema } } };
      Object.assign(document.paths[path]?.post ?? {}, { responses: { 201: answer } });
    };
    const data = { $ref: '#/components/schemas/Network' };
    make('/projects/{projectId}/networks', { type: 'object', properties: { data } });
    const task = { type: 'object', properties: { id: { type: 'string' } } };
    make('/projects/{projectId}/public-ips', { type: 'object', properties: { task } });
    expect(deriveBinding(document).binding.answers).toEqual({ createNetwork: '/data' });
  });

  it('has a member whose type is another one, which is asked about', () => {
    const document = withMembers('PortForward', () => ({ publicPort: { type: 'string' } }));
    expect(openLines(deriveBinding(document))).toEqual(['fields.portForward.publicPort']);
  });

  it('has a list of things that nothing describes', () => {
    const networks = { type: 'array', items: { $ref: '#/components/schemas/Gone' } };
    const { binding } = deriveBinding(withMembers('Vm', () => ({ networks })));
    expect(binding.fields).toEqual({ vmNetwork: { networkId: 'open', internalIp: 'open' } });
  });
});

describe('a size without a unit', () => {
  const asked = (ram: object) =>
    openLines(deriveBinding(withMembers('Configuration', () => ({ ram }))));

  it.each([
    [{ type: 'integer' }],
    [{ type: 'number', example: 4096 }],
    [{ type: 'number', minimum: 512 }],
    [{ type: 'number', default: 2048 }],
    [{ type: 'number', examples: [1, 1024] }],
  ])('%j is asked about, and the disk beside it', (ram) =>
    expect(asked(ram)).toEqual(['fields.configuration.ram', 'fields.configuration.disk']),
  );

  it.each([
    [{ type: 'number' }],
    [{ type: 'number', example: 16 }],
    [{ type: 'integer', description: 'In gigabytes' }],
  ])('%j is in gigabytes', (ram) => expect(asked(ram)).toEqual([]));

  describe('at a place that a person has named', () => {
    const answer = (memory: object, former: Omit<Binding, 'version'>) => {
      const fields = { configuration: { ram: '/memory' } };
      const document = withMembers('Configuration', () => ({ memory }));
      return deriveBinding(document, { version: 1, fields, ...former });
    };

    it('is asked about, and read as untold until that is answered', () => {
      const { questions, binding } = answer({ type: 'integer' }, {});
      expect(questions).toEqual([
        { line: 'units.configuration.ram', candidates: ['MB', 'MiB', 'GB'] },
      ]);
      expect(binding.units).toEqual({ configuration: { ram: 'open' } });
      const read = (of: Binding) =>
        new ServiceDialect(of).read('getConfiguration', { id: 'c', memory: 4096 });
      expect(read(binding)).not.toHaveProperty('ram');
      const units = { configuration: { ram: 'MiB' } } as const;
      const next = answer({ type: 'integer' }, { units });
      expect(next.questions).toEqual([]);
      expect(read(next.binding)).toMatchObject({ ram: 4 });
    });

    it('is taken from the document where that says it', () => {
      const { questions, binding } = answer({ type: 'integer', description: 'In MiB' }, {});
      expect([questions, binding.units]).toEqual([[], { configuration: { ram: 'MiB' } }]);
    });
  });
});

describe('the rest of a list', () => {
  const lists = Object.keys(operationShapes).filter(
    (operation) => operationShapes[operation as OperationId].isList,
  );
  /** The contract's document, all of whose lists have an envelope, and parameters for pages where they are given. */
  const enveloped = (members: object, paged: readonly string[], former?: Binding) => {
    const page: ListEnvelopeLine = { items: '/elements', page: { by: 'page', page: 'page' } };
    const whole: ListEnvelopeLine = { items: '/elements', page: { by: 'none' } };
    const of = lists.map((one) => [one, paged.includes(one) ? page : whole] as const);
    const document = buildDialectDocument(
      { version: 1, lists: Object.fromEntries(of) },
      { isInline: true },
    );
    for (const item of Object.values(document.paths)) {
      const answer = item.get as { responses: Record<string, { content?: object }> } | undefined;
      const content = answer?.responses[200]?.content as
        { 'application/json': { schema: Schema } } | undefined;
      const schema = content?.['application/json'].schema;
      if (schema?.properties.elements) Object.assign(schema.properties, members);
    }
    return deriveBinding(document, former);
  };
  const link = { nextLink: { type: 'string' } };

  it.each([[link], [{ hasMore: { type: 'boolean' } }], [{ totalPages: { type: 'integer' } }]])(
    'is asked about once where every envelope has %j, and no parameter asks for more',
    (members) => {
      const { questions, binding } = enveloped(members, []);
      expect(questions).toEqual([
        { line: 'lists.default', candidates: ['{ items: "/elements", page: … }'] },
      ]);
      expect(binding.lists).toEqual({ default: 'open' });
    },
  );

  it('is none where other lists say how they are asked for', () => {
    const { questions, binding } = enveloped(link, ['listVms', 'listProjects']);
    expect(questions).toEqual([]);
    expect(binding.lists?.listBackups ?? binding.lists?.default).toEqual({
      items: '/elements',
      page: { by: 'none' },
    });
  });

  it('is asked about no more where a line for all lists answers', () => {
    const { questions, binding } = enveloped(link, [], {
      version: 1,
      lists: { default: { items: '/elements', page: { by: 'none' } } },
    });
    expect(questions).toEqual([]);
    expect(Object.keys(binding.lists ?? {})).toEqual(['default']);
  });
});

describe('an operation', () => {
  it('renames where a path is called as the name, and sends it alone', () => {
    const renameVm = 'PUT /projects/{projectId}/vms/{vmId}/label';
    const binding: Binding = {
      version: 1,
      operations: { renameVm },
      fields: { renameVm: { name: '/label' } },
    };
    expect(derive(binding)).toEqual({ wrong: [], open: [] });
    const labels: Binding = { version: 1, operations: { renameVm: `${renameVm}s` } };
    expect(deriveBinding(buildDialectDocument(labels)).binding.operations?.renameVm).not.toBe(
      `${renameVm}s`,
    );
  });

  it.each(['size/{configurationId}', 'configuration/{configurationId}'])(
    'changes the size of a VM by PUT …/%s',
    (end) => {
      const resizeVm = `PUT /projects/{projectId}/vms/{vmId}/${end}`;
      expect(derive({ version: 1, operations: { resizeVm } })).toEqual({ wrong: [], open: [] });
    },
  );

  it('filters by a status that only its words tell', () => {
    const document = buildDialectDocument({ version: 1 });
    const { get } = document.paths['/projects/{projectId}/operations'] ?? {};
    const words = ['queued', 'running', 'succeeded', 'failed'];
    const others = (get?.parameters as { readonly name: string }[]).filter(
      ({ name }) => name !== 'status',
    );
    const told = { name: 'progress', in: 'query', schema: { type: 'string', enum: words } };
    Object.assign(get ?? {}, { parameters: [...others, told] });
    expect(deriveBinding(document).binding.parameters).toEqual({
      listOperations: { status: 'query progress' },
    });
  });
});

describe('a part that all paths begin with', () => {
  const binding: Binding = { version: 1, operations: renamed('vms', 'servers') };
  const scoped = (scope: string, more: Document['paths'] = {}): Document => {
    const document: Document = buildDialectDocument(binding);
    const parameter = {
      name: 'accountId',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    };
    const paths: Document['paths'] = {};
    for (const [path, item] of Object.entries(document.paths)) {
      const operations = Object.entries(item).map(([method, operation]) => {
        const own = (operation.parameters ?? []) as readonly object[];
        return [method, { ...operation, parameters: [parameter, ...own] }] as const;
      });
      paths[`${scope}${path}`] = Object.fromEntries(operations);
    }
    return { ...document, paths: { ...paths, ...more } };
  };

  it.each([
    '/v2/accounts/{accountId}',
    '/tenants/{accountId}',
    '/v1/orgs/{accountId}/zones/{zone}',
  ])('belongs to the base address: %s', (scope) => {
    const derived = deriveBinding(scoped(scope));
    expect(findWrongLines(derived.binding, binding)).toEqual([]);
    expect([derived.questions, derived.requiredUnknown]).toEqual([[], []]);
    const told = scope.replace(/^\/v\d/, '');
    expect(derived.faults.map(({ what }) => what)).toEqual([
      `Every path begins with ${told}: make that a part of the base address, with its values`,
    ]);
  });

  it('is no such part where the document has the accounts themselves', () => {
    const account = {
      type: 'object',
      properties: { id: { type: 'string' }, plan: { type: 'string' } },
    };
    const list = {
      get: {
        responses: {
          200: {
            description: 'All accounts.',
            content: { 'application/json': { schema: { type: 'array', items: account } } },
          },
        },
      },
    };
    const derived = deriveBinding(scoped('/accounts/{accountId}', { '/accounts': list }));
    expect(derived.faults).toEqual([]);
    expect(
      findWrongLines(derived.binding, binding).filter((line) => !line.includes('open')),
    ).toEqual([]);
  });

  it('is found again by the value that the base address has', () => {
    const document = scoped('/accounts/{accountId}');
    const { binding: derived } = deriveBinding(document);
    const hold = (base: string) => compareBindingWithDocument(document, derived, base);
    expect(hold('/accounts/42')).toEqual([]);
    expect(hold('/accounts').length).toBeGreaterThan(50);
    expect(hold('/tenants/42').length).toBeGreaterThan(50);
  });
});
