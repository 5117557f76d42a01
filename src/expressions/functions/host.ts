// Functions that whoever evaluates hands in, since they read files or the environment; and those that work their
// arguments out themselves.
import { parseFunctionDefinition } from './define.ts';

export const fileAndEnvironmentFunctions = [
  parseFunctionDefinition({
    is: 'file(path: text): text',
    does: 'The content of a file of UTF-8 text. Paths are relative to the directory of the configuration, and stay inside it.',
    example: ['file("files/hello.txt")', 'Hello\n'],
  }),
  parseFunctionDefinition({
    is: 'fileBase64(path: text): text',
    does: 'The bytes of a file as base64.',
    example: ['fileBase64("files/hello.txt")', 'SGVsbG8K'],
  }),
  parseFunctionDefinition({
    is: 'fileExists(path: text): bool',
    does: 'True if the file exists. A directory is an error.',
    example: ['fileExists("files/none.txt")', false],
  }),
  parseFunctionDefinition({
    is: 'fileSet(directory: text, pattern: text): list',
    does: 'The files below a directory whose paths match a pattern, sorted. `*` is any part of a name, `?` one character, `**` any directories, `{a,b}` one of several.',
    example: ['fileSet("files", "*.txt")', ['hello.txt']],
  }),
  parseFunctionDefinition({
    is: 'templateFile(path: text, names: map): text',
    does: 'The content of a file with its `${…}` evaluated. Expressions in it read the names that the map gives, and no others.',
    example: ['templateFile("files/motd.tpl", {"name": "web"})', 'Welcome to web\n'],
  }),
  parseFunctionDefinition({
    is: 'env(name: text): text',
    does: 'A variable of the environment. `variables` must declare its name, and `--allow-env` allow it.',
    example: ['env("REGION")', 'eu'],
  }),
];

/** Descriptions of functions that evaluate their arguments themselves, so that an argument without a value does no harm. */
export const lazyFunctions = [
  parseFunctionDefinition({
    is: 'try(first: any, ...others: any): any',
    does: 'The first argument that can be evaluated. A name that nothing declares is an error all the same.',
    example: ['try({"a": 1}.b, "none")', 'none'],
  }),
  parseFunctionDefinition({
    is: 'can(value: any): bool',
    does: 'True if the argument can be evaluated.',
    example: ['can(parseInt("x", 10))', false],
  }),
  parseFunctionDefinition({
    is: 'coalesce(first: any, ...others: any): any',
    does: 'The first argument that is neither null nor an empty text.',
    example: ['coalesce("", null, "b")', 'b'],
  }),
];
