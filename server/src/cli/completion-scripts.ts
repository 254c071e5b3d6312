/** What somebody may write behind an option, or as an argument. */
export type Taken = 'text' | 'paths' | { readonly words: readonly string[] };

interface Described {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption extends Described {
  /** Undefined for one that stands alone. */
  readonly takes: Taken | undefined;
}

/** A command as shells complete it. */
export interface CompletedCommand {
  /** The words that lead to it, without `atelier`. */
  readonly path: readonly string[];
  readonly words: readonly Described[];
  readonly options: readonly CompletedOption[];
  readonly takes: readonly Taken[];
}

export type Shell = 'bash' | 'zsh' | 'fish';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The path as the scripts put it together: each word behind a space. */
const pathOf = ({ path }: CompletedCommand) => path.map((word) => ` ${word}`).join('');

/** The first sentence, which is as much as fits beside a word. */
const briefly = (text: string) => (/^.*?[.:;](?= |$)/.exec(text)?.[0] ?? text).replace(/[.:;]$/, '');

const wordsOf = (taken: Taken | undefined) => (typeof taken === 'object' ? taken.words : []);
const takesPaths = ({ takes }: CompletedCommand) => takes.includes('paths');

const isNested = ({ path }: CompletedCommand) => path.length > 0;

/** Options with something behind them, by what that is. */
function valueCases(commands: readonly CompletedCommand[], written: (taken: Taken) => string): string[] {
  return commands.flatMap((command) =>
    command.options.flatMap(({ name, takes }) =>
      takes === undefined ? [] : `    ${quoted(`${pathOf(command)} ${name}`)}) ${written(takes)} ;;`,
    ),
  );
}

/** Follows the words that lead to a command, in the two shells whose language is nearly the same. */
const reachedCases = (commands: readonly CompletedCommand[]) =>
  commands
    .filter(isNested)
    .map((command) => quoted(pathOf(command)))
    .join('|');

function bashScript(commands: readonly CompletedCommand[]): string {
  const offered = (words: readonly string[]) =>
    `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$word"))`;
  const paths = `compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word"))`;
  const value = (taken: Taken) =>
    `${taken === 'paths' ? paths : taken === 'text' ? 'COMPREPLY=()' : offered(taken.words)}; return`;
  const words = (command: CompletedCommand) => [
    ...command.words.map(({ name }) => name),
    ...command.takes.flatMap(wordsOf),
    ...command.options.map(({ name }) => name),
  ];
  const commandCase = (command: CompletedCommand) => {
    const files = takesPaths(command) ? `if [[ $word != -* ]]; then ${paths}; return; fi; ` : '';
    return `    ${quoted(pathOf(command))}) ${files}${offered(words(command))} ;;`;
  };
  return `# Completes atelier in bash: source <(atelier completion bash)
_atelier_offers() {
  local reached='' last=$((\${#written[@]} - 1)) i
  for ((i = 0; i < last; i++)); do
    [[ $i -gt 0 && \${written[i - 1]} == --data ]] && continue
    case "$reached \${written[i]}" in
    ${reachedCases(commands)}) reached="$reached \${written[i]}" ;;
    esac
  done
  case "$reached $before" in
${valueCases(commands, value).join('\n')}
  esac
  case "$reached" in
${commands.map(commandCase).join('\n')}
  esac
}
# Bash takes words apart at colons, which values may have in them.
_atelier() {
  local word='' before='' i IFS=$' \\t\\n'
  local -a written
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if [[ $i -gt 1 && (\${COMP_WORDS[i]} == : || \${COMP_WORDS[i - 1]} == :) ]]; then
      word="$word\${COMP_WORDS[i]}"
    else
      before="$word"
      word="\${COMP_WORDS[i]}"
      written[\${#written[@]}]=''
    fi
    written[\${#written[@]} - 1]="$word"
  done
  COMPREPLY=()
  _atelier_offers
  if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"\${word%"\${word##*:}"}"}"; done
  fi
}
complete -F _atelier atelier
`;
}

const zshItem = ({ name, description }: Described) =>
  quoted(`${name.replaceAll(':', '\\:')}:${briefly(description).replaceAll(':', '\\:')}`);

function zshScript(commands: readonly CompletedCommand[]): string {
  const value = (taken: Taken) =>
    `${taken === 'paths' ? '_files' : taken === 'text' ? "_message 'a value'" : `compadd -- ${taken.words.map(quoted).join(' ')}`}; return`;
  const commandCase = (command: CompletedCommand) => {
    const choices = command.takes.flatMap(wordsOf).map((name) => ({ name, description: name }));
    const words = [...command.words, ...choices].map(zshItem).join(' ');
    const options = command.options.map(zshItem).join(' ');
    return `    ${quoted(pathOf(command))}) commands=(${words}) options=(${options}) files=${takesPaths(command) ? 1 : 0} ;;`;
  };
  return `#compdef atelier
# Completes atelier in zsh: source <(atelier completion zsh), after compinit
_atelier() {
  local reached='' i files=0
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    [[ \${words[i - 1]} == --data ]] && continue
    case "$reached \${words[i]}" in
    ${reachedCases(commands)}) reached="$reached \${words[i]}" ;;
    esac
  done
  case "$reached \${words[CURRENT - 1]}" in
${valueCases(commands, value).join('\n')}
  esac
  case "$reached" in
${commands.map(commandCase).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
    return
  fi
  ((files)) && _files
  ((\${#commands})) && _describe command commands
  ((files || \${#commands})) || _describe -o option options
}
if [[ \${funcstack[1]} == _atelier ]]; then _atelier "$@"; else compdef _atelier atelier; fi
`;
}

const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishOption(command: CompletedCommand, { name, description, takes }: CompletedOption): string {
  const needs =
    takes === undefined
      ? ''
      : takes === 'paths'
        ? ' -r -F'
        : takes === 'text'
          ? ' -x'
          : ` -x -a ${fishQuoted(takes.words.join(' '))}`;
  return `complete -c atelier -n ${condition(command)} -l ${name.replace(/^--/, '')}${needs} -d ${fishQuoted(briefly(description))}`;
}

const condition = (command: CompletedCommand) => fishQuoted(`__atelier_reached "${pathOf(command)}"`);

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => [
    ...command.words.map(
      ({ name, description }) =>
        `complete -c atelier -n ${condition(command)} -a ${name} -d ${fishQuoted(briefly(description))}`,
    ),
    ...command.takes
      .flatMap(wordsOf)
      .map((word) => `complete -c atelier -n ${condition(command)} -a ${fishQuoted(word)}`),
    ...(takesPaths(command) ? [`complete -c atelier -n ${condition(command)} -F`] : []),
    ...command.options.map((option) => fishOption(command, option)),
  ]);
  return `# Completes atelier in fish: atelier completion fish | source
function __atelier_reached
  set -l reached ''
  set -l before ''
  for word in (commandline -opc)[2..-1]
    if test "$before" = --data
      set before ''
      continue
    end
    set before $word
    switch "$reached $word"
      case ${commands
        .filter(isNested)
        .map((command) => fishQuoted(pathOf(command)))
        .join(' ')}
        set reached "$reached $word"
    end
  end
  test "$reached" = "$argv[1]"
end
complete -c atelier -e
complete -c atelier -f
${lines.join('\n')}
`;
}

/** Writes the script for each shell. Bash is that of macOS, too, which is an old one. */
export const scripts: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
