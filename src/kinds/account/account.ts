import type { Command } from '../../model/account/command.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { locateFinding } from '../../model/place-of.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { readAttributeText, type Attributes, type Value } from '../../model/value.ts';
import type { KindCheck } from '../kind-check.ts';
import type { ResourceKind } from '../kind.ts';
import { combineToldMatches, compareToldValue } from '../told.ts';
import configuration from './configuration.json' with { type: 'json' };
import type { LiveAccount } from './model.ts';
import { accountWireFormat } from './wire.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Finds notification preferences that the service does not have: setting them would be refused, or do nothing. */
const checkSettings: KindCheck = ({ desired, live }) => {
  const account = live.resources.find((one): one is LiveAccount => one.kind === 'account');
  if (!account) return [];
  const known = Object.keys(account.notifications);
  const findings: Finding[] = [];
  for (const resource of desired.values()) {
    if (resource.kind !== 'account') continue;
    for (const name of Object.keys(resource.attributes.notifications ?? {})) {
      if (known.includes(name)) continue;
      const meant = suggestNearestName(name, known);
      findings.push({
        severity: 'error',
        code: 'unknown-preference',
        summary: `The service has no notification preference "${name}"`,
        detail: `It has ${formatNameList(known)}.`,
        hint: meant === undefined ? 'Remove it.' : `Did you mean ${meant}?`,
        ...locateFinding(resource, `notifications.${name}`),
      });
    }
  }
  return findings;
};

/** The canonical spelling of a language tag: `en-gb` and `en-GB` are the same. */
function canonicalLocale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return tag;
  }
}

function readLocale(
  { locale }: LiveAccount,
  desired: Value | undefined,
): ReportedOrUntoldField<string> {
  if (locale === undefined) return undefined;
  const isSame =
    typeof desired === 'string' && canonicalLocale(desired) === canonicalLocale(locale);
  return isSame ? desired : locale;
}

function asPreferences(value: Value | undefined): Readonly<Record<string, Value>> {
  return isJsonObject(value) ? value : {};
}

/** The preferences that the configuration names, in its order; all of them where it names none. */
function readPreferences({ notifications }: LiveAccount, desired: Value | undefined): Attributes {
  if (desired === undefined) return notifications;
  return Object.fromEntries(
    Object.keys(asPreferences(desired)).flatMap((name) => {
      const value = notifications[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function changedPreferences(before: Attributes, after: Attributes): Record<string, boolean> {
  const had = asPreferences(before.notifications);
  return Object.fromEntries(
    Object.entries(asPreferences(after.notifications)).flatMap(([name, value]) =>
      typeof value === 'boolean' && had[name] !== value ? [[name, value]] : [],
    ),
  );
}

/**
 * The settings of the account. They exist whatever the configuration says: they are changed in place, and never made or
 * removed. Of the notification preferences only those that the configuration names are managed.
 */
export const accountKind: ResourceKind<'account'> = {
  name: 'account',
  label: 'account',
  article: 'the',
  configuration,
  wire: accountWireFormat,
  scopes: () => ['account'],
  commands: {
    updateAccountLocale: {
      sets: ['locale'],
      compareShown: (live, { locale }) =>
        compareToldValue(live.locale?.toLowerCase(), locale.toLowerCase()),
      carryOut: (live, { locale }) => ({ ...live, locale }),
    },
    updateNotificationPreferences: {
      sets: ['notifications'],
      compareShown: ({ notifications }, { preferences }) =>
        combineToldMatches(
          Object.entries(preferences).map(([name, value]) =>
            compareToldValue(notifications[name], value),
          ),
        ),
      carryOut: (live, { preferences }) => ({
        ...live,
        notifications: { ...live.notifications, ...preferences },
      }),
    },
  },
  fields: { locale: { effect: 'update' }, notifications: { effect: 'update', type: 'map' } },
  computed: [],
  references: () => [],
  claims: () => [],
  quota: () => ({}),
  derive: () => ({}),
  read: (live, _names, desired) => ({
    locale: readLocale(live, desired?.locale),
    notifications: readPreferences(live, desired?.notifications),
  }),
  fromRecord: (recorded) => ({ locale: recorded.text('locale') }),
  create: () => [],
  update({ fields, before, after }, { self }) {
    const commands: Command[] = [];
    if (fields.has('locale')) {
      const locale = readAttributeText(after, 'locale');
      commands.push({ kind: 'updateAccountLocale', account: self, locale });
    }
    if (fields.has('notifications')) {
      const preferences = changedPreferences(before, after);
      commands.push({ kind: 'updateNotificationPreferences', account: self, preferences });
    }
    return commands;
  },
  destroy: () => [],
  traits: { permanent: true, checks: { plan: checkSettings } },
};
