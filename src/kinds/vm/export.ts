import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { CatalogEntry } from '../../model/account/live.ts';
import type { LiveVm } from './model.ts';
import type { Attributes } from '../../model/value.ts';
import { isUnambiguousEntryName } from '../catalog.ts';
import { isExportableName, isConfigurableText } from '../export/export-named.ts';
import type { ExportedLiveResource, KindExport } from '../export/kind-export.ts';
import type { LiveIdTranslator } from '../names.ts';
import { readVmPower } from './power.ts';

/** The reason why a configuration cannot describe a VM at all; undefined where it can. */
function whyNot({ imageId, configurationId, tariffId }: LiveVm): string | undefined {
  const ids = { image: imageId, configuration: configurationId, tariff: tariffId };
  const missing = Object.entries(ids).flatMap(([name, id]) =>
    isConfigurableText(id) ? [] : [name],
  );
  if (missing.length === 0) return undefined;
  return `The service does not tell its ${missing.join(', ')}, and a configuration must.`;
}

/** The described fields of a VM, and remarks about those that had to be left out. */
class Description {
  readonly fields: Record<string, Attributes[string]> = {};
  readonly remarks: string[] = [];
  readonly #ignored: string[] = [];

  /** Adds a field to `ignoreChanges`, so that a plan leaves it as it is. */
  ignore(field: string, why: string): void {
    this.#ignored.push(field);
    this.remarks.push(why);
  }

  /** Adds an entry by its name where that means no other entry, else by its id. */
  addEntry(
    field: string,
    entries: readonly CatalogEntry[],
    id: ReportedOrUntoldField<string>,
  ): void {
    if (id === undefined) return;
    const entry = entries.find((one) => one.id === id);
    if (!entry) this.remarks.push(`The service no longer offers its ${field}.`);
    const isNamed = isConfigurableText(entry?.name) && isUnambiguousEntryName(entries, entry);
    this.fields[field] = isNamed ? entry.name : id;
  }

  /** Adds a list with each item once, or ignores the field where an item cannot be written. */
  addList(field: string, given: ReportedOrUntoldField<readonly (string | undefined)[]>): void {
    if (given === undefined) {
      this.ignore(field, `The service does not tell its ${field}: a plan leaves them alone.`);
      return;
    }
    const items = [...new Set(given.filter(isConfigurableText))];
    const left = given.length - items.length;
    if (items.length > 0) this.fields[field] = items;
    if (left > 0) {
      const why = `${left} of its ${field} cannot be named here: a plan leaves its ${field} alone.`;
      this.ignore(field, why);
    }
  }

  finish(): ExportedLiveResource {
    const { fields, remarks } = this;
    const lifecycle = { ignoreChanges: this.#ignored };
    return { fields: { ...fields, ...(this.#ignored.length > 0 && { lifecycle }) }, remarks };
  }
}

/**
 * Describes one VM under its key. A field that cannot be described as it is goes under `ignoreChanges`, so that a plan leaves
 * it alone; so does its name where an earlier VM has the same.
 */
function describe(
  live: LiveVm,
  key: string,
  names: LiveIdTranslator,
  isNamesake: boolean,
): ExportedLiveResource {
  const { catalog } = names;
  const said = new Description();
  if (!isConfigurableText(live.name))
    said.ignore('name', 'It has no name, and a plan leaves it so.');
  else if (!isExportableName(live.name)) {
    const name = JSON.stringify(live.name);
    said.ignore('name', `No configuration can give its name, ${name}: a plan leaves it alone.`);
  } else if (isNamesake) {
    const name = JSON.stringify(live.name);
    said.ignore('name', `Its name is ${name}, like that of another VM: a plan leaves it alone.`);
  } else if (live.name !== key) said.fields.name = live.name;
  said.addEntry('image', catalog.images, live.imageId);
  said.addEntry('configuration', catalog.configurations, live.configurationId);
  said.addEntry('tariff', catalog.tariffs, live.tariffId);
  said.addList(
    'sshKeys',
    live.sshKeyIds?.map((id) => names.localKey('sshKey', id)),
  );
  said.addList(
    'networks',
    live.networks?.map(({ networkId }) => names.localKey('network', networkId)),
  );
  if (live.publicIpId === undefined) {
    said.ignore('publicIp', 'The service does not tell its public IP: a plan leaves that alone.');
  } else if (live.publicIpId !== null) {
    const publicIp = names.localKey('publicIp', live.publicIpId);
    if (publicIp !== undefined) said.fields.publicIp = publicIp;
    else {
      const why = 'Its public IP cannot be named here: a plan leaves that alone.';
      said.ignore('publicIp', why);
    }
  }
  said.addList('plugins', live.plugins);
  const power = readVmPower(live);
  if (power === undefined) said.remarks.push('The service does not tell whether it runs.');
  if (power === 'stopped') said.fields.power = power;
  if (live.renewal === 'cancelled') said.fields.renewal = live.renewal;
  return said.finish();
}

/** Export of VMs to a configuration. */
export const vmExport: KindExport<'vm'> = {
  keyWord: 'vm',
  keyFrom: ({ name }) => name ?? '',
  whyNot,
  describe,
};
