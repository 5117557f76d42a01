// Failures of git as errors of the backend. Git gives its reasons only in messages, in English since it runs with LC_ALL=C;
// the remote adds words of its own. No message may carry credentials or control characters.
import { BackendError, type BackendFault } from '../backend-error.ts';
import type { GitRunResult } from './git-program.ts';

/** Patterns of messages, with the kind of failure each stands for; the first that fits decides. */
const patterns: readonly (readonly [BackendFault, RegExp])[] = [
  [
    'full',
    /no space left|disk quota|quota exceeded|exceeds .*size|size limit|maximum allowed size/i,
  ],
  [
    'denied',
    /authentication failed|could not read (?:username|password)|permission denied|access denied|permission to .* denied|not permitted/i,
  ],
  [
    'denied',
    /returned error: 40[13]|repository .*not found|could not be found|host key verification failed|dubious ownership/im,
  ],
  [
    'denied',
    /hook declined|protected|prohibited|not allowed|insufficient permission|hidden ref|denyCurrentBranch/i,
  ],
  // Another git process works in the repository, here or on the remote: that passes.
  [
    'unreachable',
    /cannot lock ref|\.lock'?: File exists|shallow file has changed|unable to update local ref/i,
  ],
  ['unreachable', /failed to (?:lock|update ref)|atomic transaction failed/i],
  ['broken', /the address leads on to/],
  ['broken', /does not appear to be a git repository|not a git repository/i],
  [
    'unreachable',
    /could not resolve|connection (?:refused|reset|closed|timed out)|timed out|network is unreachable|no route to host/i,
  ],
  [
    'unreachable',
    /unable to (?:connect|access)|failed to connect|hung up|early eof|rpc failed|unexpected disconnect|could not read from remote/i,
  ],
];

/** Classifies the failure of a git call by the messages of git and of the remote. */
export function classifyGitFailure(words: string): BackendFault {
  return patterns.find(([, pattern]) => pattern.test(words))?.[0] ?? 'broken';
}

/** Creates the error for a failed git call. `what` is a clause: `Git cannot read branch b of example.com/r`. */
export function explainGitFailure(what: string, answer: GitRunResult): BackendError {
  if (answer.status === undefined) {
    return new BackendError('unreachable', `${what}: it gave no answer in time.`);
  }
  const fault = classifyGitFailure(answer.stderr);
  return new BackendError(fault, `${what}: ${quoteGitMessages(answer.stderr)}.`);
}

const maxQuoteLength = 400;

/** Quotes the lines of git's messages that give the reason, as one line that is safe to show. */
export function quoteGitMessages(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => cleanGitText(line))
    .filter((line) => line !== '' && line !== 'remote:' && !isGeneral(line));
  const telling = lines.filter((line) =>
    /^(?:fatal|error|remote|ssh):|^@|denied|errno=/i.test(line),
  );
  const quote = (telling.length > 0 ? telling : lines).join(' / ').replace(/\.$/, '');
  return quote === '' ? 'git gave no reason' : shorten(quote);
}

/** Cleans a text from git or a remote for messages: without control characters, and without the credentials of an address. */
export function cleanGitText(text: string): string {
  return (
    text
      // An escape sequence of a terminal is removed as a whole.
      // eslint-disable-next-line no-control-regex -- these characters are what is to be removed
      .replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
      // The match goes up to the last @, since a password may hold one.
      .replace(/:\/\/[^\s'"]*@/g, '://')
      .replace(/([?&](?:\w*token|password|key|secret|signature)=)[^\s&'"]*/gi, '$1…')
      .trim()
  );
}

function isGeneral(line: string): boolean {
  return /^error: failed to push some refs|^fatal: Could not read from remote|^Please make sure|^and the repository exists/.test(
    line,
  );
}

function shorten(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
}
