import { isRequestLogEnabled } from '../../commands/session/log-requests.ts';
import type { Runtime, TextSink } from '../../model/runtime.ts';
import { escapeStreamOutput } from '../../render/format/escape.ts';
import { createAnsiStyle, type TextLayout } from '../../render/format/style.ts';

/**
 * Wraps the standard streams so that foreign text in the output, such as names from the service, can neither control the terminal
 * nor be taken for a command by a CI system. On a stream without colours that is no terminal, no control sequence passes at all.
 */
export function guardOutputStreams(
  { stdout, stderr, env }: Pick<Runtime, 'stdout' | 'stderr' | 'env'>,
  isColorRefused: boolean,
): Pick<Runtime, 'stdout' | 'stderr'> {
  const guard = (sink: TextSink) =>
    guardOutputSink(sink, !sink.isTTY && !hasColor(sink, env, isColorRefused));
  return { stdout: guard(stdout), stderr: guard(stderr) };
}

/** Colour: on a terminal, unless NO_COLOR or --no-color says otherwise; FORCE_COLOR turns it on anywhere. */
function hasColor(sink: TextSink, env: Runtime['env'], isRefused: boolean): boolean {
  if (isRefused || isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0';
  return sink.isTTY && env.TERM !== 'dumb';
}

/**
 * Tells whether progress lines may be redrawn in place: on a capable terminal with a person before it, and without a request log
 * in between.
 */
export function canDrawLiveLines({ stderr, env }: Pick<Runtime, 'stderr' | 'env'>): boolean {
  return stderr.isTTY && env.TERM !== 'dumb' && !isCiPipeline(env) && !isRequestLogEnabled(env);
}

/** Recognises the job of a CI system, where nobody looks on. */
export function isCiPipeline(env: Runtime['env']): boolean {
  return isSet(env.CI) && env.CI !== 'false';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

/** Layout for a stream: as wide as the terminal, and 80 columns where there is none. */
export function chooseTextLayout(
  sink: TextSink,
  env: Runtime['env'],
  isColorRefused: boolean,
): TextLayout {
  const columns = Math.max(40, sink.columns ?? 80);
  return {
    columns,
    ...(sink.isTTY && { room: columns }),
    style: createAnsiStyle(hasColor(sink, env, isColorRefused)),
  };
}

/** Layout in which lines are cut at the width of a terminal; lines are left whole for a file or a pipe. */
export function fitLines<T extends TextLayout>(sink: TextSink, layout: T): T & { room: number } {
  return { ...layout, room: sink.isTTY ? layout.columns : Infinity };
}

const escape = '\u001b';
/** Escape sequences that we write ourselves: those of `TextStyle`, and those of `LiveTerminalRegion`. */
const ourSequences = new RegExp(
  String.raw`(${escape}\[(?:1|22|3[1-69]|90)m|${escape}\[\d+A\r${escape}\[J|${escape}\[\?(?:25|2026)[hl])`,
);

/**
 * Wraps a stream so that control sequences for a terminal, and lines that a CI system takes for commands, are escaped: the last
 * safeguard for text that no other code has escaped.
 * @param isPlain set where the program itself writes no control sequences either
 */
export function guardOutputSink(sink: TextSink, isPlain: boolean): TextSink {
  const clean = (text: string) =>
    isPlain
      ? escapeStreamOutput(text)
      : text
          .split(ourSequences)
          .map((part, index) => (index % 2 === 1 ? part : escapeStreamOutput(part)))
          .join('');
  return {
    write: (text) => sink.write(clean(text)),
    ready: () => sink.ready(),
    get isTTY() {
      return sink.isTTY;
    },
    get columns() {
      return sink.columns;
    },
    get rows() {
      return sink.rows;
    },
  };
}
