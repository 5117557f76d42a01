// What stands in real documents beside what is looked for, and what is wrong in them.
import type { Document } from './build-dialect-document.ts';

type Json = Record<string, unknown>;

/** Collections that look like the contract's and are none of them: path, and members beside id, name, status and createdAt. */
const lookAlikes: Readonly<Record<string, string>> = {
  '/projects/{projectId}/load-balancers': 'algorithm publicIpId',
  '/projects/{projectId}/load-balancers/{loadBalancerId}/backups': 'size',
  '/projects/{projectId}/load-balancers/{loadBalancerId}/port-forwards':
    'publicPort vmPort protocol',
  '/projects/{projectId}/clusters': 'version',
  '/projects/{projectId}/clusters/{id}/nodes': 'cpu ram disk imageId bootStatus configurationId',
  '/projects/{projectId}/clusters/{id}/vms': 'cpu ram disk',
  '/projects/{projectId}/volumes': 'size vmId',
  '/projects/{projectId}/volumes/{volumeId}/snapshots': 'size',
  '/projects/{projectId}/snapshots': 'size volumeId sourceImageId',
  '/projects/{projectId}/firewalls': 'rules',
  '/projects/{projectId}/firewalls/{firewallId}/rules': 'protocol port cidr',
  '/projects/{projectId}/floating-ip-pools': 'cidr',
  '/projects/{projectId}/subnets': 'cidr networkId',
  '/projects/{projectId}/routers': 'networkId',
  '/registry/repositories': 'size',
  '/registry/repositories/{repositoryId}/images': 'digest size',
  '/registry/repositories/{repositoryId}/tokens': 'value scopes expiresAt',
  '/databases': 'configurationId cpu ram disk',
  '/databases/{databaseId}/backups': 'size',
  '/databases/{databaseId}/operations': 'type completedAt',
  '/support/tickets': 'title message',
  '/regions': 'locale',
  '/invoices': 'price currency period',
  '/users': 'email locale',
  '/users/{userId}/ssh-keys': 'publicKey fingerprint',
  '/audit-events': 'type message resourceId resourceType',
  '/certificates': 'fingerprint expiresAt publicKey',
};

/** Adds what other things a hosting service has; `projects` is the path of its projects. */
export function addLookAlikes(document: Document, projects = '/projects'): Document {
  for (const [place, members] of Object.entries(lookAlikes)) {
    const path = place.replace('/projects', projects);
    const names = ['id', 'name', 'status', 'createdAt', ...members.split(' ')];
    const properties = Object.fromEntries(
      names.map((name) => [
        name,
        { type: /^(?:cpu|ram|disk|size|price|\w*[pP]ort)$/.test(name) ? 'number' : 'string' },
      ]),
    );
    const schema = { type: 'object', properties, required: names };
    const answer = (body: Json) => ({
      responses: { 200: { description: 'OK', content: { 'application/json': { schema: body } } } },
    });
    const noun = path.split('/').at(-1)?.replace(/s$/, '') ?? '';
    const item = `${path}/{${noun.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id}`;
    document.paths[path] ??= {
      get: answer({ type: 'array', items: schema }),
      post: { ...answer(schema) },
    };
    document.paths[item] ??= {
      get: answer(schema),
      patch: answer(schema),
      delete: { responses: { 204: { description: 'Gone' } } },
    };
    document.paths[`${item}/start`] ??= { post: answer(schema) };
  }
  return document;
}

/** Makes a document wrong in places, so that most of it can still be read. */
export function spoilDocument(document: Document, random: () => number): Document {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  for (const operation of operations) {
    if (random() < 0.1) delete operation.operationId;
    if (random() < 0.03) operation.operationId = operations[0]?.operationId;
    if (random() < 0.05)
      operation.parameters = [
        { $ref: '#/components/parameters/Missing' },
        null,
        ...((operation.parameters ?? []) as unknown[]),
      ];
    if (random() < 0.03) operation.responses = { 200: { description: 'OK' } };
    if (random() < 0.03)
      operation.responses = {
        200: {
          description: 'OK',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Lost' } } },
        },
      };
    if (random() < 0.03) operation.tags = 'none';
  }
  const schemas =
    (document.components as { schemas?: Record<string, Json> } | undefined)?.schemas ?? {};
  for (const schema of Object.values(schemas)) {
    if (random() < 0.05) schema.required = [...((schema.required ?? []) as string[]), 'neverThere'];
    if (random() < 0.03) schema.allOf = 'everything';
    if (random() < 0.03) schema.type = 'map';
  }
  document.paths['/broken'] = { get: 'nothing' as unknown as Json };
  return document;
}
