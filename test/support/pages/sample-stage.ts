// Where the samples of a page are tried: a directory with what they refer to.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { makeSelfSigned } from '../self-signed.ts';
import { root } from './read-pages.ts';

type Yaml = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Yaml =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const certificate = makeSelfSigned('api.example.com');

export class SampleStage {
  readonly path: string;
  readonly #base: Yaml;

  private constructor(path: string, base: Yaml) {
    this.path = path;
    this.#base = base;
  }

  static async open(): Promise<SampleStage> {
    const path = await mkdtemp(join(tmpdir(), 'hostwright-pages-'));
    const base = await readFile(join(import.meta.dirname, 'base.yaml'), 'utf8');
    const stage = new SampleStage(path, parse(base) as Yaml);
    await stage.write('certs/authority.pem', certificate.cert);
    await stage.write('certs/client.pem', certificate.cert);
    await stage.write('certs/client.key', certificate.key);
    for (const name of ['quickstart', 'shop']) {
      await cp(join(root, 'examples', name), join(path, 'examples', name), {
        recursive: true,
        filter: (source) => !/[/\\]\.hostwright$/.test(source),
      });
    }
    return stage;
  }

  close(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }

  /** Writes a file below the stage. */
  async write(name: string, text: string): Promise<void> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** Writes a sample as the configuration of a directory, with all that it may refer to. */
  async writeConfiguration(directory: string, text: string): Promise<void> {
    await cp(join(this.path, 'certs'), join(this.path, directory, 'certs'), { recursive: true });
    const keys = join(root, 'examples/quickstart/keys/alice.pub');
    await mkdir(join(this.path, directory, 'keys'), { recursive: true });
    await cp(keys, join(this.path, directory, 'keys/alice.pub'));
    await this.write(join(directory, 'hosting.contract.yaml'), 'version: 1\n');
    await this.write(
      join(directory, 'modules/shop/main.yaml'),
      'variables: { region: { default: eu } }\noutputs: { region: { value: "${var.region}" } }\n',
    );
    await this.write(join(directory, 'main.yaml'), this.complete(text));
  }

  /**
   * Writes a sample for `validate`: as the configuration of a directory, or beside the policy that it is about where a
   * configuration cannot have it. @returns the environment of the command
   */
  async place(directory: string, text: string): Promise<Readonly<Record<string, string>>> {
    if (!/^exemptions:/m.test(text)) {
      await this.writeConfiguration(directory, text);
      return {};
    }
    await this.write(join(directory, 'main.yaml'), 'version: 1\n');
    const policies = `${directory}-policies`;
    await this.write(join(policies, 'sample.yaml'), text);
    const policy = 'policies: { noBigVms: { for: vms, assert: after.ram <= 64 } }\n';
    await this.write(join(policies, 'policy.yaml'), policy);
    return { HOSTWRIGHT_POLICIES: policies };
  }

  /** A sample without `version` with everything around it. */
  complete(text: string): string {
    const sample = parse(text) as Yaml;
    return isMap(sample) && !('version' in sample) ? stringify(merge(this.#base, sample)) : text;
  }
}

/** What merges: the whole, and whatever holds entries by names of the user's. An entry takes the place of another. */
const merging = /^(?:variables|projects(?:\/[^/]+(?:\/(?:sshKeys|networks|publicIps|vms))?)?)?$/;

function merge(base: Yaml, sample: Yaml, path = ''): Yaml {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(sample)) {
    const before = base[name];
    const inner = path === '' ? name : `${path}/${name}`;
    merged[name] =
      isMap(before) && isMap(value) && merging.test(inner) ? merge(before, value, inner) : value;
  }
  return merged;
}
