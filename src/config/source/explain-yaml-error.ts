import type { ErrorCode, YAMLError } from 'yaml';
import type { ConfigurationFault } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import type { SourceFile } from './source-file.ts';

interface Words {
  readonly summary: string;
  readonly hint: string;
}

const quoteIt = 'Put the value in quotes.';

const words: Readonly<Partial<Record<ErrorCode, Words>>> = {
  BAD_ALIAS: {
    summary: 'An alias or an anchor is not well formed',
    hint: 'Write `&name` before a value and `*name` where it is used again.',
  },
  BAD_DIRECTIVE: {
    summary: 'A YAML directive is not well formed',
    hint: 'Remove the line that begins with %.',
  },
  BAD_DQ_ESCAPE: {
    summary: 'An escape in double quotes is unknown',
    hint: 'Write a backslash as \\\\, or use single quotes, in which it means itself.',
  },
  BAD_INDENT: {
    summary: 'The indentation is wrong',
    hint: 'Keys of one map begin in the same column; what belongs below a key is indented more than the key.',
  },
  BAD_SCALAR_START: {
    summary: 'A value cannot begin with this character without quotes',
    hint: quoteIt,
  },
  BLOCK_AS_IMPLICIT_KEY: {
    summary: 'A second key is where a value was expected',
    hint: 'Put the value in quotes if it holds a colon, or put the second key on a line of its own, indented more.',
  },
  BLOCK_IN_FLOW: {
    summary: 'An indented block cannot be inside { } or [ ]',
    hint: 'Close the bracket first, or write everything in it with { } and [ ].',
  },
  MISSING_CHAR: {
    summary: 'A character is missing',
    hint: 'Look for a quote, a bracket, a comma or a colon that is missing here or just before.',
  },
  MULTILINE_IMPLICIT_KEY: {
    summary: 'A line is not of the form `key: value`',
    hint: 'Look for a missing colon, and for a wrong indentation in this line and the one before.',
  },
  TAB_AS_INDENT: {
    summary: 'The indentation contains a tab',
    hint: 'YAML is indented with spaces.',
  },
  TAG_RESOLVE_FAILED: {
    summary: 'A YAML tag is unknown',
    hint: 'Remove the tag; put a text that begins with ! in quotes.',
  },
};

const otherwise: Words = {
  summary: 'The YAML is not well formed here',
  hint: 'Look at this line and the one before: indentation, colons, quotes and brackets.',
};

const bracketAfterValue = /(?:\[|\{)/;

/** Inside `{ }` and `[ ]` a bracket ends a value that has no quotes: the trap of `vm: web[0]` and `${…}`. */
function isUnquotedBracket(error: YAMLError, file: SourceFile): boolean {
  const isAtBracket = bracketAfterValue.test(file.text.slice(error.pos[0], error.pos[1] + 1));
  return (
    isAtBracket &&
    (error.code === 'UNEXPECTED_TOKEN' || error.code === 'MISSING_CHAR') &&
    /[\w$]/.test(file.text.charAt(error.pos[0] - 1))
  );
}

/** The place of the bracket that is still open at an offset; texts in quotes are not told apart. */
function findOpener(text: string, end: number): number | undefined {
  let closed = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    const one = text.charAt(at);
    if (one === ']' || one === '}') closed += 1;
    else if (one === '[' || one === '{') {
      if (closed === 0) return at;
      closed -= 1;
    }
  }
  return undefined;
}

/** The bracket or quote that is missing at the end, pointed at where it begins; undefined for every other fault. */
function explainUnclosed({ message, pos }: YAMLError, { text }: SourceFile) {
  const closer = /end with a ([\]}])/.exec(message)?.[1];
  const quote = /closing (["'])quote/.exec(message)?.[1];
  const found = quote === undefined ? undefined : text.lastIndexOf(quote, pos[0] - 1);
  const start = closer === undefined ? found : findOpener(text, pos[0]);
  const missing = closer ?? quote;
  if (start === undefined || start < 0 || missing === undefined) return undefined;
  return {
    summary: quote === undefined ? 'A bracket is not closed' : 'A quote is not closed',
    hint: `Close it with \`${missing}\`.`,
    start,
    end: start + 1,
  };
}

/** `{ message: Too big: max 64 }`: the second colon begins a map to the parser. */
function explainColon({ code, pos }: YAMLError, { text }: SourceFile) {
  const value = text.slice(pos[0], pos[1]).trim();
  if (code !== 'BLOCK_IN_FLOW' || !/^[^\n"|>-][^\n"]*$/.test(value)) return undefined;
  return {
    summary: 'A value with a colon needs quotes',
    hint: `Put it in quotes: "${makePrintable(value)}".`,
    start: pos[0],
    end: pos[0] + value.length,
  };
}

/** Explains an error of the YAML parser in Hostwright's words; the parser's own words follow in the detail. */
export function explainYamlError(error: YAMLError, file: SourceFile): ConfigurationFault {
  const from = Math.min(Math.max(0, error.pos[0]), file.text.length);
  const { start, end, summary, hint } = explainUnclosed(error, file) ??
    explainColon(error, file) ?? {
      ...explainOther(error, file),
      start: from,
      end: Math.max(from + 1, error.pos[1]),
    };
  const said = makePrintable(error.message.split('\n', 1)[0] ?? '');
  const detail = said.length > 160 ? `${said.slice(0, 160)}…` : said;
  const isSecret = file.isSecret(start, end);
  return {
    code: 'broken-yaml',
    summary,
    // The parser's message quotes the file, so it is left out where that may be secret.
    ...(!isSecret && { detail: `The parser says: ${detail}.` }),
    hint: isSecret && hint.startsWith('Put it') ? quoteIt : hint,
    place: { file, start, end },
  };
}

function explainOther(error: YAMLError, file: SourceFile): Words {
  return isUnquotedBracket(error, file)
    ? {
        summary: 'A value with a bracket needs quotes inside { } or [ ]',
        hint: "Put the value in quotes, for example { vm: 'web[0]' } or { name: 'web-${each.index}' }.",
      }
    : (words[error.code] ?? otherwise);
}
