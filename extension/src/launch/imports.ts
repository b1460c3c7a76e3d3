/** What a Python source imports, wherever in it. */
export interface Import {
  /** Dots before the name: 0 where the import is absolute. */
  readonly level: number;
  /** `gpt.model` of `from gpt.model import GPT` and of `import gpt.model`; empty for `from . import model`. */
  readonly module: string;
  /** What is taken from it: `GPT`; none for `import gpt.model`. */
  readonly names: readonly string[];
}

/** Strings and comments, in which nothing is imported. */
const SAID = /("""|''')(?:\\[\s\S]|(?!\1)[^\\])*(?:\1|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|#[^\n]*/gu;
const FROM =
  /(?:^|[;:])[ \t]*from[ \t]*(?<dots>[. \t]*)(?<module>[\p{L}\p{N}_.]*)[ \t]*\bimport\b[ \t]*(?<names>\([^)]*\)|[^\n;]*)/gmu;
const IMPORT = /(?:^|[;:])[ \t]*import[ \t]+(?<modules>[^\n;(]+)/gmu;

/** The imports of a source, also those inside functions. Nothing is run, and what is not Python has none. */
export function importsOf(source: string): Import[] {
  const code = source
    .replaceAll('\r\n', '\n')
    .replaceAll(SAID, (said) => (said.startsWith('#') ? '' : '""'))
    .replaceAll('\\\n', ' ');
  return [
    ...[...code.matchAll(FROM)].map(({ groups }) => ({
      level: (groups?.['dots'] ?? '').replaceAll(/[^.]/gu, '').length,
      module: groups?.['module'] ?? '',
      names: listed((groups?.['names'] ?? '').replaceAll(/[()]/gu, '')),
    })),
    ...[...code.matchAll(IMPORT)].flatMap(({ groups }) =>
      listed(groups?.['modules'] ?? '').map((module) => ({ level: 0, module, names: [] })),
    ),
  ];
}

/** `a, b as c` without the names that are given here. */
function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim().split(/\s/u)[0] ?? '')
    .filter((each) => each !== '');
}
