import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from '#core/config.ts'
import { isDiskFullError } from '#core/database/errors.ts'
import { appVersion } from '#core/version.ts'
import { exitWithError } from '#main.ts'
import { acceptCliCommandsByName } from './accept-commands.ts'
import { accountCliCommandsByName } from './account-commands.ts'
import { adminCliCommandsByName } from './admin-commands.ts'
import { backupCliCommandsByName } from './backup-commands.ts'
import type { CliCommand } from './cli-community.ts'
import { doctorCliCommandsByName } from './doctor-command.ts'
import { logCliCommandsByName } from './log-commands.ts'

// Makes the files that this process creates in the data folder readable only for the user of the process.
process.umask(0o077)
const commands = {
  ...adminCliCommandsByName,
  ...logCliCommandsByName,
  ...accountCliCommandsByName,
  ...backupCliCommandsByName,
  ...doctorCliCommandsByName,
  ...acceptCliCommandsByName,
}
/**
 * Commands that the help text lists, but that are not in `commands`, because bin/engawa starts the server and
 * main() prints the version.
 */
const others: Record<string, Pick<CliCommand, 'argument' | 'flags' | 'description'>> = {
  '': { description: 'starts the server' },
  '--version': { description: 'prints the version' },
}

const lines = Object.entries({ ...others, ...commands }).map(
  ([name, { argument = '', flags = [], description }]) => {
    const synopsis = ['engawa', name, argument, ...flags.map((flag) => `[--${flag}]`)]
      .filter(Boolean)
      .join(' ')
    return `  ${synopsis.padEnd(38)}${description}`
  },
)
const usage = `Runs and manages an Engawa server. Settings are environment variables, such as DATA_DIR and DATABASE_URL.\n\n${lines.join('\n')}\n`

function parseCommand(args: string[]) {
  try {
    const options = { overwrite: { type: 'boolean' }, begun: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const words = positionals[0]! in commands ? 1 : 2
    const [name, given, ...rest] = [positionals.slice(0, words).join(' '), ...positionals.slice(words)]
    const command = commands[name]
    if (
      !command ||
      rest.length ||
      (values.overwrite && !command.flags?.includes('overwrite')) ||
      (values.begun && name !== 'backup')
    )
      return null
    const { argument = '' } = command
    const fits = given ? argument !== '' : argument === '' || argument.startsWith('[')
    return fits ? { command, given, values } : null
  } catch {
    return null
  }
}

async function main(args: string[]) {
  if (args.length === 1 && args[0] === '--version') return console.log(appVersion)
  const parsed = parseCommand(args)
  if (!parsed) {
    console.error(usage)
    process.exit(2)
  }
  process.env.DATA_DIR ??= join(import.meta.dirname, '../data')
  const output = await parsed.command.run(parsed.given, parsed.values).catch((error: unknown) => {
    throw isDiskFullError(error) ? new OperatorError('The disk is full: nothing was changed.') : error
  })
  console.log(output)
}

await main(process.argv.slice(2)).catch(exitWithError)
