import { join } from 'node:path'
import { appVersion } from '#core/environment/version.ts'
import { exitWithError } from '#main.ts'
import { parseCommandLine } from './command-line.ts'
import { cliCommandsByName } from './commands.ts'

// Makes the files that this process creates in the data folder readable only for the user of the process.
process.umask(0o077)

async function main(args: string[]) {
  if (args.length === 1 && args[0] === '--version') return console.log(appVersion)
  const parsed = parseCommandLine(cliCommandsByName, args)
  if ('help' in parsed) return console.log(parsed.help.trimEnd())
  if ('error' in parsed) {
    console.error(parsed.error.trimEnd())
    process.exit(2)
  }
  process.env.DATA_DIR ??= join(import.meta.dirname, '../data')
  console.log(await parsed.command.run(parsed.given, parsed.values))
}

await main(process.argv.slice(2)).catch(exitWithError)
