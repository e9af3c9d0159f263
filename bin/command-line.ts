import { parseArgs } from 'node:util'
import { findNearestName } from '#core/text/nearest-name.ts'
import type { CliCommand } from './cli-community.ts'

type CliCommandsByName = Readonly<Record<string, CliCommand>>
type ParsedCommandLine =
  | { help: string }
  | { error: string }
  | { command: CliCommand; given: string | undefined; values: Record<string, string | boolean | undefined> }

/** Lines of the help for what bin/engawa and main() do without a command. */
const others: Record<string, Pick<CliCommand, 'argument' | 'options' | 'description'>> = {
  '': { description: 'starts the server' },
  '--version': { description: 'prints the version' },
  '--help': { description: 'prints this help; after a command, the help for that command' },
}

const ALL_COMMANDS = 'engawa --help lists all commands.'
const HELP_FLAGS = ['--help', '-h']
const INTRODUCTION =
  'Runs and manages an Engawa server. Settings are environment variables, such as DATA_DIR and DATABASE_URL.'

/**
 * Finds the command of a command line, its argument and its options. Returns the help instead if the line
 * asks for it, and the sentences of an error if nothing fits.
 */
export function parseCommandLine(commands: CliCommandsByName, args: readonly string[]): ParsedCommandLine {
  const isHelp = args[0] === 'help' || args.some((word) => HELP_FLAGS.includes(word))
  const words = args.filter((word) => !word.startsWith('-'))
  const typed = words.slice(args[0] === 'help' ? 1 : 0, args[0] === 'help' ? 3 : 2)
  const name = [typed.join(' '), typed[0] ?? ''].find((name) => name in commands)
  if (isHelp && (name !== undefined || !typed.length))
    return { help: name === undefined ? formatAll(commands) : formatOne(name, commands[name]!) }
  const group = filterGroup(commands, typed[0])
  if (isHelp && group) return { help: formatList(group) }
  return name === undefined
    ? { error: describeUnknown(commands, group, args, typed) }
    : parseWords(name, commands[name]!, args)
}

/** Returns the commands that begin with a word, such as `admin`; null if there are none. */
function filterGroup(commands: CliCommandsByName, word: string | undefined): CliCommandsByName | null {
  const found = Object.entries(commands).filter(([name]) => name.split(' ')[0] === word)
  return found.length ? Object.fromEntries(found) : null
}

function describeUnknown(
  commands: CliCommandsByName,
  group: CliCommandsByName | null,
  args: readonly string[],
  typed: readonly string[],
) {
  if (!typed.length) return `engawa has no option ${args[0]}.\n\n${ALL_COMMANDS}`
  if (group && typed.length === 1) return `engawa ${typed[0]} needs one more word.\n\n${formatList(group)}`
  const unknown = typed.join(' ')
  // The second word may be an argument of a mistyped command: `bakup /mnt/disk`.
  const nearest = [unknown, typed[0]!].flatMap(
    (text) => findNearestName(text, Object.keys(commands), 3) ?? [],
  )[0]
  const meant = nearest === undefined ? '' : ` Did you mean engawa ${nearest}?`
  return `There is no command engawa ${unknown}.${meant}\n\n${group ? formatList(group) : ALL_COMMANDS}`
}

function parseWords(name: string, command: CliCommand, args: readonly string[]): ParsedCommandLine {
  const { argument = '', options = {} } = command
  const usage = `\n\n${formatOne(name, command)}`
  const types = Object.entries(options).map(([option, { value }]) => {
    const type = value ? ('string' as const) : ('boolean' as const)
    return [option, { type }] as const
  })
  const rest = args.slice(name.split(' ').length)
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: Object.fromEntries(types),
      allowPositionals: true,
    })
    const [given, ...more] = positionals
    if (given === undefined && argument && !argument.startsWith('['))
      return { error: `engawa ${name} needs ${argument}.${usage}` }
    const surplus = argument ? more[0] : given
    if (surplus !== undefined) return { error: `engawa ${name} does not take ${surplus}.${usage}` }
    return { command, given, values: values as Record<string, string | boolean | undefined> }
  } catch (error) {
    return { error: `${describeWrongOption(name, command, error as ParseError)}${usage}` }
  }
}

type ParseError = Error & { code?: string }

function describeWrongOption(name: string, { options = {} }: CliCommand, { code, message }: ParseError) {
  const option = /'(-[^'\s]*)/.exec(message)?.[1] ?? 'this option'
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const needsValue = options[option.replace(/^--/, '')]?.value
    return needsValue ? `${option} needs ${needsValue}.` : `${option} takes no value.`
  }
  const nearest = findNearestName(
    option,
    listShownOptions(options).map(([shown]) => `--${shown}`),
    3,
  )
  return `engawa ${name} has no option ${option}.${nearest ? ` Did you mean ${nearest}?` : ''}`
}

const listShownOptions = (options: NonNullable<CliCommand['options']>) =>
  Object.entries(options).filter(([, { description }]) => description !== undefined)

type Described = Pick<CliCommand, 'argument' | 'options' | 'description'>

const formatOption = ([option, { value }]: [string, { value?: string }]) =>
  value ? `--${option} ${value}` : `--${option}`

const formatSynopsis = (name: string, { argument = '', options = {} }: Described) =>
  ['engawa', name, argument, ...listShownOptions(options).map((option) => `[${formatOption(option)}]`)]
    .filter(Boolean)
    .join(' ')

/** Formats rows of two columns. A long first column has a line of its own. */
const formatRows = (rows: readonly (readonly [string, string])[]) =>
  rows
    .map(([left, right]) =>
      left.length > 40 ? `  ${left}\n${' '.repeat(44)}${right}` : `  ${left.padEnd(42)}${right}`,
    )
    .join('\n')

const formatList = (commands: Readonly<Record<string, Described>>) =>
  `${formatRows(Object.entries(commands).map(([name, command]) => [formatSynopsis(name, command), command.description]))}\n`

const formatAll = (commands: CliCommandsByName) =>
  `${INTRODUCTION}\n\n${formatList({ ...others, ...commands })}`

function formatOne(name: string, command: CliCommand) {
  const options = listShownOptions(command.options ?? {}).map(
    (option) => [formatOption(option), option[1].description!] as const,
  )
  return `${formatSynopsis(name, command)}\n  ${command.description}\n${options.length ? `\n${formatRows(options)}\n` : ''}`
}
