import { routes } from '../../api/contract/routes.ts';
import { parseOperation, withoutAbsent } from './parse-condition.ts';
import type { ScriptPath, ScriptReader } from './script-reader.ts';
import type { ConsoleEdit, EditSubject } from './script.ts';

const subjectKeys = [
  'project',
  'network',
  'sshKey',
  'vm',
  'publicIp',
  'portForward',
  'backup',
  'token',
] as const satisfies readonly (keyof EditSubject)[];

/** The id in a path that each part of a subject stands for. */
const subjectParams: Readonly<Record<keyof EditSubject, string>> = {
  project: 'projectId',
  network: 'networkId',
  sshKey: 'sshKeyId',
  vm: 'vmId',
  publicIp: 'publicIpId',
  portForward: 'portForwardId',
  backup: 'backupId',
  token: 'tokenId',
};

/** Reads one edit; `index` names it when it has no name. */
export function parseEdit(
  reader: ScriptReader,
  value: unknown,
  path: ScriptPath,
  index: number,
): ConsoleEdit | undefined {
  const keys = ['name', 'at', 'afterRequest', 'do', 'on', 'body', 'keepsTrying'];
  const map = reader.map(value, path, keys);
  const at = (key: string) => [...path, key];
  if (map.do === undefined) reader.refuse(path, 'needs a do: the operation to perform.');
  const operationId = parseOperation(reader, map.do, at('do'));
  const given = map.on === undefined ? {} : reader.map(map.on, at('on'), subjectKeys);
  const on = withoutAbsent(
    Object.fromEntries(
      subjectKeys.map((key) => [key, reader.text(given[key], [...at('on'), key])] as const),
    ),
  ) as EditSubject;
  const timing = withoutAbsent({
    atMs: reader.duration(map.at, at('at')),
    afterRequest: reader.number(map.afterRequest, at('afterRequest'), { least: 1 }),
  });
  const keepsTrying = reader.flag(map.keepsTrying, at('keepsTrying'));
  const name = reader.text(map.name, at('name')) ?? `edit ${index + 1}`;
  if (operationId === undefined) return undefined;
  refuseMissing(reader, path, routes[operationId].path, on);
  const body = map.body === undefined ? {} : { body: map.body };
  return { name, operationId, on, keepsTrying, ...timing, ...body };
}

function refuseMissing(
  reader: ScriptReader,
  path: ScriptPath,
  route: string,
  on: EditSubject,
): void {
  for (const key of subjectKeys) {
    if (route.includes(`{${subjectParams[key]}}`) && on[key] === undefined) {
      reader.refuse([...path, 'on'], `needs a ${key}: the path is ${route}.`);
    }
  }
}
