import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../../src/cli/arguments/read-arguments.ts';
import {
  foreignFlagHints,
  terraformCommandHints,
  terraformFlagHints,
} from '../../../../src/cli/arguments/terraform-words.ts';
import { commandFamilies, topLevelCommandNames } from '../../../../src/cli/command-families.ts';
import { formatCommandPath } from '../../../../src/cli/help/examples.ts';
import { buildProgram } from '../../../../src/cli/program.ts';
import { silentContext } from '../../../support/silent-runtime.ts';
import { readRows } from '../../../support/read-rows.ts';

const program = await buildProgram(commandFamilies, silentContext);
const read = (line: string) => parseCommandLine(line.split(' '), program, topLevelCommandNames);

describe('a command line as it is meant', () => {
  it.each([
    ['plan -out=x', 'plan --out=x'],
    ['plan -out x', 'plan --out=x'],
    ['plan --out x', 'plan --out=x'],
    ['plan -var a=b -var=c=d', 'plan --var=a=b --var=c=d'],
    ['plan --var -out=x', 'plan --var=-out=x'],
    ['plan --out -json', 'plan --out=-json'],
    ['plan --out --var', 'plan --out=--var'],
    ['plan -target=projects.a -target projects.b', 'plan --target=projects.a --target=projects.b'],
    ['-chdir=dir apply -auto-approve plan.hwp', '--chdir=dir apply --auto-approve plan.hwp'],
    ['plan -detailed-exitcode=true -json=false', 'plan --detailed-exitcode'],
    ['plan --detailed-exitcode=TRUE -destroy=0', 'plan --detailed-exitcode'],
    [
      'plan -no-color -compact-warnings -lock-timeout=3s',
      'plan --no-color --compact-warnings --lock-timeout=3s',
    ],
    ['plan -no-color=false', 'plan'],
    ['plan -lock=true -refresh=true -input=true', 'plan'],
    ['plan -- -out=x -input=false', 'plan -- -out=x -input=false'],
    ['state push -', 'state push -'],
    ['state show -json projects.a', 'state show --json projects.a'],
    ['account -json', 'account --json'],
    [
      'notifications preferences -set a=true b=false -json',
      'notifications preferences --set a=true b=false --json',
    ],
    ['plan -help', 'plan --help'],
    ['help', '--help'],
    ['help vm stop', 'vm stop --help'],
    ['state help mv', 'state mv --help'],
    ['help state list -- x', 'state list --help'],
    ['init -migrate-state', 'init --migrate-state'],
    ['plan -var', 'plan --var'],
  ])('%s', (line, meant) => {
    const { argv, faults } = read(line);
    expect(argv.join(' ')).toBe(meant);
    expect(faults).toEqual([]);
  });

  it('asks nobody with -input=false', () => {
    expect(read('apply -input=false')).toMatchObject({ argv: ['apply'], isUnattended: true });
    expect(read('apply -input=true')).toMatchObject({ argv: ['apply'], isUnattended: false });
  });

  it('knows the command', () => {
    expect(formatCommandPath(read('-no-color state show x').command)).toBe('state show');
    expect(formatCommandPath(read('validate graph').command)).toBe('validate');
  });
});

describe('what is no flag and no command', () => {
  const told = (line: string) =>
    read(line).faults.map(({ code, summary, hint = '' }) => `${code}: ${summary}: ${hint}`);

  it.each(
    readRows(`
    plan -fromat json | unknown-flag: "hostwright plan" has no flag -fromat: Did you mean --format?
    plan --varfile x | unknown-flag: "hostwright plan" has no flag --varfile: Did you mean --var-file?
    paln | unknown-command: "hostwright" has no command "paln": Did you mean "hostwright plan"?
    state shwo x | unknown-command: "hostwright state" has no command "shwo": Did you mean "hostwright state show"?
    help paln | unknown-command: "hostwright" has no command "paln": Did you mean "hostwright plan"?
    help state shwo | unknown-command: "hostwright state" has no command "shwo": Did you mean "hostwright state show"?
    taint x | unknown-command: "hostwright" has no command "taint": Use "hostwright apply --replace ADDRESS".
    --bogus x plan | unknown-flag: "hostwright" has no flag --bogus: Run "hostwright --help" for its arguments and flags.
    plan -json=maybe | invalid-value: --json is on or off, and takes no value "maybe": Write --json, or --json=false.
    plan --bogus --help |
  `),
  )('%s', (line, fault) => expect(told(line).join()).toBe(fault));

  it('is told all at once, each with what to use in its place', () => {
    const faults = read('init -backend-config=x -reconfigure -lock=false').faults;
    expect(faults.map(({ code }) => code)).toEqual([
      'unknown-flag',
      'unknown-flag',
      'unknown-flag',
    ]);
    for (const { detail } of faults) expect(detail).toBe('It is a flag of Terraform.');
  });
});

describe("Terraform's words", () => {
  const all = [...terraformFlagHints].map(([name, { hint }]) => [name, hint] as const);
  it.each([...all, ...terraformCommandHints, ...foreignFlagHints])(
    '%s: the hint begins with a verb',
    (_, hint) => expect(hint).toMatch(/^[A-Z][a-z]+ .*\.$/),
  );

  it.each([
    ['destroy --force', 'Leave it out. --auto-approve skips the question'],
    ['destroy -force', 'Leave it out. --auto-approve skips the question'],
    ['apply --yes', 'Use --auto-approve.'],
    ['plan --dry-run', 'Leave it out: a plan changes nothing.'],
    ['apply --dry-run', 'Use "hostwright plan": it shows the same'],
    ['destroy --dry-run', 'Use "hostwright plan --destroy"'],
    ['state mv -dry-run a b', 'look first with "hostwright state list ADDRESS"'],
    ['init -json', 'Leave it out: init prints lines for people'],
    ['init -lock-timeout=5s', 'Leave it out: only a migration'],
    ['console -plan', 'Leave it out: the console reads'],
    ['test -verbose', 'Leave it out: a step that fails'],
    ['test -cloud-run=x', 'Leave it out: tests run on the embedded sandbox'],
    ['apply --detailed-exitcode', 'Use "hostwright plan --detailed-exitcode": an apply exits'],
    ['apply --format json', 'Use "hostwright plan --format FORMAT": an apply tells programs'],
    ['apply -out=x', 'Use "hostwright plan --out FILE", and then "hostwright apply FILE".'],
    ['apply --rehearse', 'Use "hostwright plan --rehearse"'],
    ['apply --oneline', 'Use "hostwright plan --oneline"'],
    ['apply --explain a', 'Use "hostwright plan --explain ADDRESS"'],
    ['destroy --out x', 'Use "hostwright plan --destroy --out FILE"'],
    ['destroy --detailed-exitcode', 'Use "hostwright plan --destroy --detailed-exitcode"'],
    ['plan --auto-approve', 'Leave it out: a plan asks nothing.'],
    ['test -junit-xml=x.xml', 'Use --format junit'],
    ['plan -concise', 'Use "hostwright plan --oneline"'],
    ['validate -query', 'Leave it out: there are no files of queries'],
    ['plan -target-file=x', 'Use --target ADDRESS'],
    ['plan -exclude-file=x', 'Use --exclude ADDRESS'],
    ['plan -consolidate-errors', 'Leave it out: every error is shown.'],
    ['plan -consolidate-warnings=false', 'Leave it out: every warning is shown.'],
    ['plan -get=false', 'Leave it out, or run "hostwright init" for modules from git.'],
  ])('%s', (line, hint) => expect(read(line).faults[0]?.hint).toContain(hint));

  it('are none of ours', () => {
    const ours = new Set(commandFamilies.flatMap(({ names }) => names));
    expect([...terraformCommandHints.keys()].filter((name) => ours.has(name))).toEqual([]);
    const flags = new Set(
      program.commands.flatMap(({ options }) => options.map(({ long }) => long)),
    );
    expect([...terraformFlagHints.keys()].filter((name) => flags.has(`--${name}`))).toEqual([]);
  });
});
