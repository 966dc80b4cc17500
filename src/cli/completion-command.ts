import type { Command } from 'commander';
import { Failure } from './terminal/failure.ts';

/** The words that can follow each prefix. The prefix is `""` for `svc` itself, and `lens` for `svc lens`. */
function listSubcommands(program: Command): Map<string, string[]> {
  const wordsByPath = new Map<string, string[]>();
  const visitCommand = (command: Command, path: readonly string[]): void => {
    const options = command.options.flatMap(({ long }) => (long ? [long] : []));
    wordsByPath.set(path.join(' '), [...command.commands.map((command) => command.name()), ...options, '--help']);
    for (const item of command.commands) visitCommand(item, [...path, item.name()]);
  };
  visitCommand(program, []);
  return wordsByPath;
}

const SCRIPT_WRITERS: Record<string, (words: Map<string, string[]>) => string> = {
  bash: (words) => `_svc() {
  local path="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""
  while :; do
    case "$path" in
${[...words].map(([path, next]) => `      "${path}") words="${next.join(' ')}"; break;;`).join('\n')}
      *" "*) path="\${path% *}";;
      *) path="";;
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc
`,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit
${SCRIPT_WRITERS['bash']!(words)}`,
  fish: (words) =>
    [...words]
      .flatMap(([path, next]) => {
        const condition =
          path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
        return next.map((word) =>
          word.startsWith('--')
            ? `complete -c svc -f -n '${condition}' -l ${word.slice(2)}`
            : `complete -c svc -f -n '${condition}' -a ${word}`,
        );
      })
      .join('\n')
      .concat('\n'),
};

export function runCompletionCommand(shell: string, program: Command): void {
  const script = SCRIPT_WRITERS[shell];
  if (!script)
    throw new Failure(
      `svc can't complete commands in "${shell}". Choose one of: ${Object.keys(SCRIPT_WRITERS).join(', ')}.`,
      2,
    );
  process.stdout.write(script(listSubcommands(program)));
}
