// Strings that a stranger would put wherever a string fits, and how to see whether one got through.

/** One each for what a medium obeys or does not show; by what it would do. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'a colour': '\u001b[31mred',
  'a colour that we use ourselves': '\u001b[1m\u001b[32mgreen\u001b[39m',
  'a title, and a link': '\u001b]0;title\u0007\u001b]8;;http://evil.test\u001b\\click',
  'a cursor, as a region is drawn over': '\u001b[9A\r\u001b[J',
  'a carriage return and a backspace': 'a\rb\b\u007f',
  'a C1 control': '\u009b2J\u0085',
  'a direction': '\u202eabc\u2066\u200f\u061c',
  'no width': 'a\u200bb\u200cc\u200dd\u2060e\ufeff',
  'a soft hyphen': 'so\u00adft',
  fillers: '\u3164\u115f\u1160\uffa0\u2800\u17b4',
  tags: 'a\u{e0001}\u{e0041}\u{e007f}',
  'variation selectors': 'a\ufe0f\u{e0100}\u180b',
  separators: 'a\u2028b\u2029c',
  'half a character': '\ud800x\udc00',
  noncharacters: 'a\uffff\ufffe\u{1ffff}',
  'an annotation': '\ufff9a\ufffab\ufffb',
  'a command of GitHub': '\n::error file=main.yaml::hostile',
  'a command of GitHub behind blanks': 'x\n \t\u00a0::set-output name=x::y',
  'a mark in a log': '##[error]hostile ##vso[task.setvariable]x ##[group]',
  'a section of GitLab':
    'section_start:1:hostile[collapsed=true]\r\u001b[0Kx section_end:1:hostile\r\u001b[0K',
  'the end of a fence': '\n```\n````\n~~~\n',
  'markup of Markdown': '![x](http://evil.test) [x](http://evil.test) @octocat #1 | `a` *b* <b>',
  'markup of HTML': '"\'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;&#x202e;',
  'the end of a part': '--> ]]> </details> </noscript> </style> */ %>',
  'a directive of Mermaid':
    '%%{init: {"theme":"dark"}}%% $$x$$ fa:fa-bomb "];click n0 "http://evil.test"',
  'escapes of DOT': '\\N\\G"\\',
  YAML: '": {a: b} # c\n- &x *x !!js',
  'a wide one': '漢字 한글 😀👩‍👩‍👧',
};

/** All of them in one. */
export const hostileText = Object.values(hostileTexts).join(' ');

const unseen =
  /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
// eslint-disable-next-line no-control-regex -- to be seen here is what must not be there
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** What our own drawing writes to a terminal: colours, the region that is drawn over again, cursor and frames. */
// eslint-disable-next-line no-control-regex -- these are the sequences themselves
const ours = /\u001b\[(?:1|22|39|9?[0-9]{1,2})m|\u001b\[\?(?:25|2026)[hl]|\u001b\[\d+A\r\u001b\[J/g;

/** The lines of an output in which something hostile stands raw, each with why. */
export const findRaw = (output: string, isTerminal = false): string[] =>
  (isTerminal ? output.replaceAll(ours, '') : output).split('\n').flatMap((line) => {
    const why = [
      ...(unseen.test(line) ? ['unseen'] : []),
      ...(controls.test(line) ? ['control'] : []),
      ...(/^\s*::/.test(line) ? ['a command'] : []),
      ...(/##\w*\[|section_(start|end):/.test(line) ? ['a mark'] : []),
    ];
    return why.length > 0 ? [`${why.join(', ')}: ${JSON.stringify(line).slice(0, 400)}`] : [];
  });
