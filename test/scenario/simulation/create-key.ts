import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import { foldName } from './fold-name.ts';

/** What tells a create from others by looking: its path, and its name or its port. Undefined for any other request. */
export function keyOfRequest({ method, url }: Request, body: string): string | undefined {
  if (method !== 'POST') return undefined;
  const { pathname } = new URL(url);
  const isCreate =
    /\/(projects|networks|public-ips|ssh-keys|port-forwards)$/.test(pathname) ||
    /\/projects\/[^/]+\/vms$/.test(pathname);
  if (!isCreate) return undefined;
  const fields = body === '' ? {} : (JSON.parse(body) as Fields);
  return keyOf(pathname, fields);
}

/** The same of a command; undefined for one that makes nothing. */
export function keyOfCommand(command: ResolvedCommand): string | undefined {
  switch (command.kind) {
    case 'createProject':
      return keyOf('/v1/projects', command);
    case 'createVm':
      return keyOf(`/v1/projects/${command.project}/vms`, { name: command.name });
    case 'createNetwork':
      return keyOf(`/v1/projects/${command.project}/networks`, command);
    case 'createSshKey':
      return keyOf(`/v1/projects/${command.project}/ssh-keys`, command);
    case 'createPublicIp':
      return keyOf(`/v1/projects/${command.project}/public-ips`, {});
    case 'createPortForward': {
      const { project, publicIp } = command;
      return keyOf(`/v1/projects/${project}/public-ips/${publicIp}/port-forwards`, command);
    }
    default:
      return undefined;
  }
}

interface Fields {
  readonly name?: string;
  readonly protocol?: string;
  readonly publicPort?: number;
}

function keyOf(pathname: string, { name, protocol, publicPort }: Fields): string {
  if (name !== undefined) return `${pathname} ${foldName(name)}`;
  return protocol === undefined ? pathname : `${pathname} ${protocol}:${publicPort ?? ''}`;
}
