import { trimName } from '../../model/text/fold-name.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { Attributes } from '../../model/value.ts';

interface Named {
  readonly id: string;
  readonly name: ReportedOrUntoldField<string>;
}

/** Tells whether a configuration can hold a text: one that is not blank. */
export function isConfigurableText(text: string | undefined): text is string {
  return text !== undefined && /\S/.test(text);
}

/** Tells whether a configuration can give a name as it is: no white space at its ends, and in normal form C. */
export function isExportableName(name: ReportedOrUntoldField<string>): name is string {
  return isConfigurableText(name) && trimName(name) === name && name.normalize('NFC') === name;
}

function whyNoName({ name }: Named): string | undefined {
  if (!isConfigurableText(name))
    return 'It has no name. Give it one in the account, and export again.';
  return isExportableName(name)
    ? undefined
    : 'No configuration can give its name as it is. Rename it in the account, and export again.';
}

/** The key serves as the name where the configuration gives none. */
function nameUnless(name: ReportedOrUntoldField<string>, key: string): Attributes {
  return name === undefined || name === key ? {} : { name };
}

/**
 * The `KindExport` of a kind whose resources a configuration knows by name alone: of several with one name, the first is
 * exported.
 */
export function makeNamedKindExport(keyWord: string) {
  return {
    keyWord,
    keyFrom: ({ name }: Named) => name ?? '',
    whyNot: whyNoName,
    unique: {
      textOf: ({ name }: Named) => name ?? '',
      why: ({ id }: Named) =>
        `${id} has the same name, and a configuration may give it once. Rename one of the two in the account, and export again.`,
    },
    describe: ({ name }: Named, key: string) => ({ fields: nameUnless(name, key) }),
  };
}
