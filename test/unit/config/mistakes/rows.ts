import type { Files, FrameName } from './frames.ts';

/** What somebody writes. */
export interface Mistake {
  readonly written: string;
  /** The same once a hint was followed that does not give the text itself. */
  readonly followed?: string;
  /** What lies beside the file. */
  readonly beside?: Files;
}

type Row = readonly [frame: FrameName, mistake: Mistake];
type Line = string | readonly [written: string, followed: string];

const rows = (frame: FrameName, lines: readonly Line[]): readonly Row[] =>
  lines.map((line): Row => {
    const [written, followed] = typeof line === 'string' ? [line, undefined] : line;
    return [frame, { written, ...(followed !== undefined && { followed }) }];
  });

/** Expressions without their `${…}`. */
const bareExpressions: readonly Row[] = [
  ...rows('vm', [
    'name: var.name',
    'name: local.net',
    'name: "{{ var.name }}"',
    "name: '{{local.net}}'",
    ['name: "{{ inventory_hostname }}"', 'name: ${var.name}'],
    ['name: "{{ .Values.name }}"', 'name: ${var.name}'],
    [
      'name: file("${path.module}/files/hello.txt")',
      'name: ${trim(file(path.module + "/files/hello.txt"))}',
    ],
    'name: upper(var.name)',
    'name: var.name + "-web"',
    'name: projects.shop.networks.front.name',
    'name: format("%s-%d", var.name, var.n)',
    'image: var.name',
    'image: "{{ var.name }}"',
    'count: var.n',
    'count: "{{ var.n }}"',
    'count: size(var.names)',
    'forEach: var.names',
    'forEach: var.sizes',
    'networks: var.names',
    'networks: "{{ var.names }}"',
    'networks: [var.names[0]]',
    'networks: [local.net]',
    'power: var.power',
    'timeouts: { create: var.wait }',
    'lifecycle: { preventDestroy: var.on }',
  ]),
  ...rows('top', [
    'outputs: { o: { value: var.name } }',
    'outputs: { o: { value: projects.shop.publicIps.edge.address } }',
    'outputs: { o: { value: "projects.shop.vms.some[\'a\'].id" } }',
    'outputs:\n  o:\n    value: file("files/hello.txt")',
    'outputs: { o: { value: [var.name, x] } }',
    'outputs: { o: { value: "{{ var.name }}-x" } }',
    'outputs: { o: { value: "https://{{ var.name }}.example/{{ local.net }}" } }',
  ]),
];

/** Resources named otherwise than by their keys. */
const references: readonly Row[] = [
  ...rows('vm', [
    'networks: [projects.shop.networks.back.id]',
    'networks: [projects.shop.networks.back]',
    'networks: [shop-front]',
    'networks: [bcak]',
    'networks: [nothing-like-it]',
    'networks: back',
    'networks: { back: {} }',
    'networks: ["${projects.shop.networks.back.cidr}"]',
    'networks: ["${local.nets}"]',
    'networks: [Back]',
    'sshKeys: alice',
    'sshKeys: [projects.shop.sshKeys.alice]',
    'sshKeys: [bob]',
    ['publicIp: true', 'publicIp: new'],
    ['publicIp: [edge]', 'publicIp: edge'],
    'publicIp: projects.shop.publicIps.edge.address',
    'publicIp: auto',
    'publicIp: "${projects.shop.publicIps.edge.address}"',
  ]),
  ...rows('forward', [
    'vm: many',
    'vm: many[7]',
    'vm: many-0',
    'vm: some',
    'vm: some["c"]',
    'vm: some-a',
    'vm: one[0]',
    ['vm: 10.0.0.5', 'vm: one'],
    'vm: projects.shop.vms.one',
    'vm: projects.shop.vms.many',
    'vm: projects.shop.vms.many[1]',
    'vm: projects.shop.vms.one.id',
    'vm: "${projects.shop.vms.one.internalIp}"',
    'vm: "${projects.shop.networks.back.id}"',
    'vm: ones',
    ['vm: [one]', 'vm: one'],
  ]),
];

export const mistakes: readonly Row[] = [...bareExpressions, ...references];
