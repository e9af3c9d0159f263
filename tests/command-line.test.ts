import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parseCommandLine } from '#bin/command-line.ts'
import { cliCommandsByName } from '#bin/commands.ts'
import { bundleEnvironment, serverFolder } from '#tests/server.ts'

vi.setConfig({ testTimeout: 60_000 })
const parse = (...args: string[]) => parseCommandLine(cliCommandsByName, args)

/** Runs bin/engawa on an empty data folder. */
async function engawa(...args: string[]) {
  const env = {
    ...process.env,
    ...(await bundleEnvironment()),
    DATA_DIR: await serverFolder(),
  }
  const program = join(import.meta.dirname, '../bin/engawa')
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('help goes to standard output, and an unknown command to standard error', async () => {
  const { status, stdout, stderr } = await engawa('--help')
  expect([status, stderr]).toEqual([0, ''])
  for (const name of Object.keys(cliCommandsByName)) expect(stdout).toContain(`  engawa ${name}`)
  expect(await engawa('invite', '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^engawa invite .*\n[\s\S]*--uses N +how many people/),
    stderr: '',
  })
  expect(await engawa('bakup', '/mnt')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'There is no command engawa bakup /mnt. Did you mean engawa backup?\n\nengawa --help lists all commands.\n',
  })
})

test('each command and each first word of commands has help', () => {
  for (const [name, { description }] of Object.entries(cliCommandsByName)) {
    const words = name.split(' ')
    for (const args of [
      [...words, '--help'],
      [...words, '-h'],
      ['help', ...words],
      [...words, 'x', '--help'],
    ])
      expect(parse(...args), args.join(' ')).toEqual({ help: expect.stringContaining(description) })
    if (words.length > 1)
      expect(parse(words[0]!, '--help')).toEqual({ help: expect.stringContaining(`engawa ${name}`) })
  }
  expect(parse('help')).toEqual(parse('--help'))
  expect(parse('backup', '--help')).toEqual({ help: expect.not.stringContaining('begun') })
})

test.each([
  [['admin', 'crown', 'ann'], 'There is no command engawa admin crown.'],
  [['admn', 'list'], 'There is no command engawa admn list. Did you mean engawa admin list?'],
  [['user'], 'engawa user needs one more word.'],
  [['usr', '--help'], 'There is no command engawa usr.'],
  [['--frob'], 'engawa has no option --frob.'],
  [['admin', 'grant'], 'engawa admin grant needs EMAIL.'],
  [['admin', 'list', 'x'], 'engawa admin list does not take x.'],
  [['backup', 'a', 'b'], 'engawa backup does not take b.'],
  [['doctor', '--jsn'], 'engawa doctor has no option --jsn. Did you mean --json?'],
  [['doctor', '-x'], 'engawa doctor has no option -x.'],
  [['invite', '--uses'], '--uses needs N.'],
  [['restore', 'x', '--overwrite=1'], '--overwrite takes no value.'],
])('%j is named', (args, sentence) => {
  expect(parse(...args)).toEqual({ error: expect.stringMatching(new RegExp(`^${RegExp.escape(sentence)}`)) })
})
