import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BadSetting } from '#core/config.ts'
import { isDiskFull } from '#core/database/errors.ts'
import { explain } from '#main.ts'
import { admin } from './admin.ts'
import { backupCommands } from './backup-commands.ts'
import type { Command } from './community.ts'

process.umask(0o077) // Only this user may read the files that the process creates in the data folder.
const commands = { ...admin, ...backupCommands }
/** bin/engawa starts the server itself. */
const serve: Pick<Command, 'takes' | 'flags' | 'says'> = { says: 'serves' }

const lines = Object.entries({ '': serve, ...commands }).map(([name, { takes = '', flags = [], says }]) => {
  const given = ['engawa', name, takes, ...flags.map((flag) => `[--${flag}]`)].filter(Boolean).join(' ')
  return `  ${given.padEnd(38)}${says}`
})
const usage = `engawa: serves a community and takes care of it, with one set of settings (DATA_DIR, DATABASE_URL).\n\n${lines.join('\n')}\n`

function read(args: string[]) {
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
    const { takes = '' } = command
    const fits = given ? takes !== '' : takes === '' || takes.startsWith('[')
    return fits ? { command, given, values } : null
  } catch {
    return null
  }
}

async function main(args: string[]) {
  const asked = read(args)
  if (!asked) {
    console.error(usage)
    process.exit(2)
  }
  process.env.DATA_DIR ??= join(import.meta.dirname, '../data')
  const said = await asked.command.run(asked.given, asked.values).catch((error: unknown) => {
    throw isDiskFull(error) ? new BadSetting('The disk is full: nothing was changed.') : error
  })
  console.log(said)
}

await main(process.argv.slice(2)).catch(explain)
