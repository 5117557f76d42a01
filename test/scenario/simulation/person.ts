import type { ServiceClient } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/errors/errors.ts';
import type { WireRequest } from '../../../src/api/contract/types.ts';
import { parseResourceAddress, type ResourceAddress } from '../../../src/model/address.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import type { LiveProject } from '../../../src/kinds/project/model.ts';
import type { DesiredGraph, ImportEntry } from '../../../src/model/resource.ts';
import { readAttributeText } from '../../../src/model/value.ts';
import { deletionOf, isSubject, requestOf } from './console-requests.ts';
import type { Dice } from './dice.ts';
import { lookalikeFaults, type FaultKind } from './fault-kinds.ts';
import type { Gate } from './gate.ts';
import type { Ledger } from './ledger.ts';
import { normalizeNames, type NameStyle } from './normalize-names.ts';
import { imitateCommand, imitateDesired, type Likeness } from './lookalikes.ts';

/** What is told where something that is not ours stands in the way. */
const conflicts: ReadonlySet<string> = new Set([
  ...['name-taken', 'conflict', 'quota-exceeded', 'quota-refused', 'port-taken'],
  ...['name-refused', 'port-refused'],
  ...['project-not-empty', 'network-in-use', 'public-ip-in-use', 'public-ip-held'],
  'import-would-destroy',
]);

/** What a person answers to a question of the program. */
export interface Resolution {
  readonly address: ResourceAddress;
  /** What the create made; undefined: nothing. */
  readonly id: string | undefined;
}

/** What a person knows beside what is said. */
interface Circumstances {
  /** Ids that the state has. */
  readonly managed: ReadonlySet<string>;
  /** Addresses that the configuration has and the state has not. */
  readonly configured: ReadonlySet<ResourceAddress>;
  /** True: what is like what is configured was to be adopted by the last run. */
  readonly hasAdopted: boolean;
}

/** What a person makes of what is said. */
export interface Advice {
  /** The next run adopts what is like what is configured. */
  readonly adoptsAll: boolean;
  /** The next run destroys what was made twice. */
  readonly removesDoubled: boolean;
  /** To be written into the configuration. */
  readonly imports: readonly ImportEntry[];
  /** To be told by `state resolve`. */
  readonly resolutions: readonly Resolution[];
}

const nowhere = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };

/** What names resources among which a person has to choose. */
const choices: ReadonlySet<string> = new Set([
  'ambiguous-create',
  'create-doubled',
  'perhaps-ours',
]);

/** Warnings that name what may stand there beside what is managed. */
const tellsOfTwo: ReadonlySet<string> = new Set(['create-lookalike', 'may-be-doubled']);

const ids = /\b(?:prj|key|net|ip|fwd|vm)-[0-9a-z]{8}\b/g;

const idsIn = ({ summary, detail = '', hint = '' }: Diagnostic): ReadonlySet<string> =>
  new Set(`${summary} ${detail} ${hint}`.match(ids) ?? []);

/** Somebody in the console: edits the account meanwhile, and mends what only a person may mend. */
export class Person {
  readonly #client: ServiceClient;
  readonly #gate: Gate;
  readonly #ledger: Ledger;
  readonly #names: NameStyle;
  /** True while what a person asks for is to fail. */
  isUnlucky = false;

  /** `names`: what the service does to the names that it is given. */
  constructor(client: ServiceClient, gate: Gate, ledger: Ledger, names: NameStyle) {
    this.#client = client;
    this.#gate = gate;
    this.#ledger = ledger;
    this.#names = names;
  }

  /** Does something in the console; false when there was nothing to do it to, or when the service refused. */
  edit(kind: FaultKind, dice: Dice, desired: DesiredGraph): Promise<boolean> {
    return this.#gate.alone(async () => {
      const projects = await this.#client.listProjects();
      if (isLikeness(kind)) return this.#createAlike(projects, kind, dice, desired);
      if (projects.length === 0) return false;
      const project = dice.pick(projects);
      if (kind === 'console allocates an address') {
        const params = { projectId: project.id };
        return this.#create({ operation: 'createPublicIp', params }, () =>
          this.#readProject(project),
        );
      }
      const contents = await this.#readProject(project);
      const found = contents.filter((one) => isSubject(kind, one));
      if (found.length === 0) return false;
      // Mostly what the engine still looks for: that is when it hurts.
      const unbound = new Set(this.#ledger.listUnbound());
      const sought = found.filter(({ id }) => unbound.has(id));
      const subject = dice.pick(sought.length > 0 && dice.chance(0.7) ? sought : found);
      this.isUnlucky = kind === 'console fails to back up';
      const isDone = await this.#attempt(requestOf(kind, subject, dice));
      this.isUnlucky = false;
      if (isDone && kind === 'console deletes') this.#noteDeleted(subject);
      if (isDone && kind === 'console renames') this.#ledger.noteRenamed(subject.id);
      return isDone;
    });
  }

  /**
   * Follows the hints of findings and failures: takes away what the console made where it stands in the way, and, of
   * several that could be one create's, all but one. What may be adopted is adopted, unless that was tried before.
   */
  async mend(
    diagnostics: readonly Diagnostic[],
    { managed, configured, hasAdopted }: Circumstances,
  ): Promise<Advice> {
    const account = await this.readAccount();
    const resolutions: Resolution[] = [];
    // What a person was asked about is not swept away.
    const asked = new Set<string>();
    const imports: ImportEntry[] = [];
    let removesDoubled = false;
    for (const diagnostic of diagnostics) {
      const { code, address, hint, detail } = diagnostic;
      const named = account.filter(({ id }) => idsIn(diagnostic).has(id) && !managed.has(id));
      const ours = named.filter(({ id }) => !this.#ledger.isForeign(id));
      if (choices.has(code)) for (const { id } of named) asked.add(id);
      if (code === 'ambiguous-create') {
        const [only, ...others] = named;
        if (only && others.length === 0 && ours.length === 1 && address !== undefined) {
          resolutions.push({ address, id: only.id });
        } else await this.#choose(named, account, managed);
      }
      if (tellsOfTwo.has(code)) for (const one of ours) await this.#removeWhole(one, account);
      if (code === 'create-not-seen' && address !== undefined) {
        resolutions.push({ address, id: this.#findMade(address, account, managed) });
      }
      if (code === 'perhaps-ours' && address !== undefined) {
        // Another of our creates may have made it.
        const one = ours.find(({ id }) => this.#ledger.findMaker(id)?.address === address);
        if (one && configured.has(address))
          imports.push({ to: address, id: one.id, source: nowhere });
        else if (one) resolutions.push({ address, id: one.id });
        else resolutions.push({ address, id: undefined });
      }
      if (code === 'import-would-destroy' && address !== undefined) {
        const one = account.find(({ id }) => hint?.includes(`id: '${id}', as: live`));
        if (one && !this.#ledger.isForeign(one.id))
          imports.push({ to: address, id: one.id, isAsLive: true, source: nowhere });
      }
      if (code === 'create-doubled' && address !== undefined) {
        // What a person made is theirs, however like it is: then they take the other away themselves.
        if (ours.length === named.length) removesDoubled = true;
        else {
          // What they renamed is not named here, and is no more looked for afterwards.
          const made = this.#findMade(address, account, managed);
          const strays = account.filter((one) => one.id === made && !ours.includes(one));
          for (const one of [...ours, ...strays]) await this.#removeWhole(one, account);
          resolutions.push({ address, id: undefined });
        }
      }
      if (code !== 'name-taken' || !hint?.startsWith('Delete')) continue;
      const id = /the id ([^ .]+)\./.exec(detail ?? '')?.[1];
      const one = account.find((resource) => resource.id === id);
      if (one && !managed.has(one.id)) await this.#remove(one);
    }
    const isInTheWay = ({ code }: Diagnostic) => conflicts.has(code);
    const adoptsAll =
      !hasAdopted &&
      diagnostics.some(isInTheWay) &&
      diagnostics.some(({ hint }) => hint?.startsWith('Adopt'));
    if (diagnostics.some(isInTheWay) && !adoptsAll) {
      for (const one of account) {
        const isSpared = managed.has(one.id) || asked.has(one.id);
        if (!isSpared && this.#ledger.isExcused(one.id)) await this.#remove(one);
      }
    }
    return { adoptsAll, removesDoubled, imports, resolutions };
  }

  /** What a create of this address made and nobody knows, if a person finds it in the console. */
  #findMade(
    address: ResourceAddress,
    account: readonly LiveResource[],
    managed: ReadonlySet<string>,
  ): string | undefined {
    const made = this.#ledger.attempts
      .filter((attempt) => attempt.address === address)
      .flatMap((attempt) => attempt.made.map(({ id }) => id));
    const kind = parseResourceAddress(address)?.kind;
    return account.find((one) => one.kind === kind && made.includes(one.id) && !managed.has(one.id))
      ?.id;
  }

  /** Of what is named, a person takes away what they made themselves, and all but one of what they did not. */
  async #choose(
    named: readonly LiveResource[],
    account: readonly LiveResource[],
    managed: ReadonlySet<string>,
  ): Promise<void> {
    const theirs = named.filter(({ id }) => this.#ledger.isForeign(id));
    const ours = named.filter((one) => !theirs.includes(one));
    const spare = ours.filter(({ id }) => !managed.has(id));
    for (const one of [...theirs, ...spare.slice(1)]) {
      await this.#removeWhole(one, account);
    }
  }

  /** A project has to be empty first: what the console made meanwhile may stand in it. */
  async #removeWhole(one: LiveResource, account: readonly LiveResource[]): Promise<void> {
    const inside = account.filter((other) => other !== one && other.projectId === one.id);
    for (const each of [...inside, one]) await this.#remove(each);
  }

  /** Of two that look the same, a person takes away what is neither managed nor theirs. */
  async settleLookalikes(
    findings: readonly Diagnostic[],
    managed: ReadonlySet<string>,
  ): Promise<void> {
    const told = findings.filter(({ code }) => tellsOfTwo.has(code));
    if (told.length === 0) return;
    const account = await this.readAccount();
    const named = new Set(told.flatMap((finding) => [...idsIn(finding)]));
    for (const one of account) {
      if (!named.has(one.id) || managed.has(one.id) || this.#ledger.isForeign(one.id)) continue;
      await this.#removeWhole(one, account);
    }
  }

  /** Everything that the account holds; a port forward before the address that it is of. */
  async readAccount(): Promise<readonly LiveResource[]> {
    const projects = await this.#client.listProjects();
    const contents = await Promise.all(projects.map((project) => this.#readProject(project)));
    return [...contents.flat(), ...projects];
  }

  async #readProject({ id: projectId }: LiveProject): Promise<readonly LiveResource[]> {
    const place = { projectId };
    const [vms, networks, sshKeys, publicIps] = await Promise.all([
      this.#client.list('vm', place),
      this.#client.list('network', place),
      this.#client.list('sshKey', place),
      this.#client.list('publicIp', place),
    ]);
    const forwards = await Promise.all(
      publicIps.map(({ id }) => this.#client.list('portForward', { projectId, publicIpId: id })),
    );
    return [...forwards.flat(), ...vms, ...networks, ...sshKeys, ...publicIps];
  }

  async #remove(one: LiveResource): Promise<void> {
    if (await this.#attempt(deletionOf(one))) this.#noteDeleted(one);
  }

  #noteDeleted(one: LiveResource): void {
    this.#ledger.noteDeleted(one.id);
    if (one.kind === 'vm') this.#ledger.noteLeftAddress(one);
  }

  /** Like what the engine looks for by now, or like anything that is configured. */
  async #createAlike(
    projects: readonly LiveProject[],
    likeness: Likeness,
    dice: Dice,
    desired: DesiredGraph,
  ): Promise<boolean> {
    const open = this.#ledger.listOpen().flatMap(({ command }) => command ?? []);
    if (open.length > 0 && dice.chance(0.7)) {
      const command = dice.pick(open);
      const project = projects.find(({ id }) => 'project' in command && id === command.project);
      const read = () => (project ? this.#readProject(project) : this.#client.listProjects());
      return this.#create(imitateCommand(command, likeness, dice), read);
    }
    if (projects.length === 0) return false;
    const project = dice.pick(projects);
    const address = desired.resources.find(
      ({ kind, attributes }) =>
        kind === 'project' && readAttributeText(attributes, 'name') === project.name,
    )?.address;
    const wanted = desired.resources.filter(
      (one) =>
        one.project === address && ['vm', 'network', 'sshKey', 'publicIp'].includes(one.kind),
    );
    if (wanted.length === 0) return false;
    const request = imitateDesired(dice.pick(wanted), project.id, likeness, dice);
    return this.#create(request, () => this.#readProject(project));
  }

  async #create(
    request: WireRequest | undefined,
    read: () => Promise<readonly LiveResource[]>,
  ): Promise<boolean> {
    if (!request) return false;
    const before = new Set((await read()).map(({ id }) => id));
    if (!(await this.#attempt(request))) return false;
    for (const one of await read()) {
      if (!before.has(one.id)) this.#ledger.noteMade(one);
    }
    return true;
  }

  /** The request as the service takes it: it does to the names of people what it does to ours. */
  #asKept(request: WireRequest): WireRequest {
    const { body, ...rest } = request;
    const kept = normalizeNames(JSON.stringify(body ?? null), this.#names);
    const asKept = `{"body":${kept},${JSON.stringify(rest).slice(1)}`;
    return body === undefined ? request : (JSON.parse(asKept) as WireRequest);
  }

  async #attempt(request: WireRequest | undefined): Promise<boolean> {
    if (!request) return false;
    try {
      await this.#client.call(this.#asKept(request));
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }
}

function isLikeness(kind: FaultKind): kind is Likeness {
  return lookalikeFaults.some((one) => one === kind);
}
