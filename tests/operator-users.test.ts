import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { migratedCommunity, startUnlimited } from '#tests/backup-helpers.ts'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { axiosMember, axiosVisitor } from '#tests/sanctum.ts'
import { bundleEnvironment, type ServerEnvironment, serverFolder, stopServers } from '#tests/server.ts'
import { findFreePort } from '#tests/services.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(stopServers)
const bundle = await bundleEnvironment()

function engawa(env: ServerEnvironment, args: string[], input = '') {
  const { PATH = '', HOME = '' } = process.env
  const program = join(import.meta.dirname, '../bin/engawa')
  const options = { env: { PATH, HOME, ...bundle, ...env }, encoding: 'utf8', input } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  return { status, output: (status ? stdout + stderr : stdout).trim(), said: stderr }
}

test.each(dialectsInTurn())(
  'members are made, listed, suspended and deleted beside a server on %s',
  async (dialect) => {
    const env = await migratedCommunity(dialect)
    const { url } = await startUnlimited(env)
    const ana = await axiosMember(url, 'Ana')
    const actions = async () =>
      (await ana.http.get('/api/audit-log')).data.map(
        ({ action, role }: { action: string; role: string }) => `${role} ${action}`,
      )

    const made = engawa(env, ['user', 'create', 'ben@engawa.example', '--name', 'Ben Lee'])
    expect(made).toMatchObject({
      ...{ status: 0, output: expect.stringMatching(/^([0-9a-z]{4}-){4}[0-9a-z]{4}$/) },
      said: expect.stringContaining('PUBLIC_URL is not set'),
    })
    expect(await actions()).toContain('operator created_by_admin')
    const ben = axiosVisitor(url)
    expect((await ben.logIn('ben@engawa.example', made.output)).status).toBe(204)
    for (const [args, says] of [
      [['ben@engawa.example'], 'already been taken'],
      [['ben'], 'EMAIL takes'],
      [['x@engawa.example', '--name', ' '], '--name takes'],
    ] as const)
      expect(engawa(env, ['user', 'create', ...args])).toMatchObject({
        status: 1,
        output: expect.stringContaining(says),
      })
    expect(engawa(env, ['user', 'create', 'x@engawa.example'], 'short').status).toBe(1)

    // The server passes the group of a suspended owner on, as it does if an admin suspends.
    await ana.http.patch('/api/admin/settings', { who_can_create_groups: 'members' })
    const { group } = (await ben.http.post('/api/groups', { name: 'Club' })).data
    expect((await ben.http.post(`/api/groups/${group.id}/add-user`, { user_id: ana.id })).status).toBe(200)
    expect(engawa(env, ['user', 'suspend', '@benlee'])).toMatchObject({
      status: 0,
      output: '@benlee is suspended.',
    })
    expect((await ben.http.get('/api/user')).status).toBe(401)
    await eventually(async () =>
      expect((await ana.http.get(`/api/groups/${group.id}`)).data).toMatchObject({ is_owner: true }),
    )
    const list = engawa(env, ['user', 'list']).output.split('\n')
    expect(list).toEqual([
      expect.stringMatching(/^1\tsomeone\S+\tAna\t2.+Z\tadmin$/),
      expect.stringMatching(/^2\tben@engawa\.example\tBen Lee\t2.+Z\tsuspended$/),
    ])
    expect(engawa(env, ['user', 'list', 'ben@']).output).toBe(list[1])
    expect(engawa(env, ['user', 'list', 'nobody']).output).toBe('Nobody has nobody.')
    expect(engawa(env, ['user', 'unsuspend', 'ben@engawa.example']).status).toBe(0)
    expect((await ben.logIn('ben@engawa.example', made.output)).status).toBe(204)

    for (const command of ['suspend', 'delete'])
      expect(engawa(env, ['user', command, ana.email])).toMatchObject({
        status: 1,
        output: expect.stringContaining('Remove their admin rights first.'),
      })
    expect(engawa(env, ['user', 'delete', 'ben@engawa.example']).output).toMatch(
      /is deleted after 2\S+Z; until/,
    )
    expect(engawa(env, ['user', 'delete', 'ben@engawa.example'])).toMatchObject({
      status: 1,
      output: expect.stringContaining('already requested'),
    })
    const { data: users } = await ana.http.get('/api/admin/users')
    expect(users.userData[1]).toMatchObject({ deletion: { by_admin: true, messages: 'keep' } })
    expect((await actions()).slice(0, 4).toSorted()).toEqual([
      'operator deletion_requested',
      'operator suspended',
      'operator suspended',
      'operator unsuspended',
    ])
    expect((await ana.http.post('/api/admin/users/2/keep', {})).status).toBeLessThan(300)
    expect(engawa(env, ['log', 'check']).status).toBe(0)
  },
)

test('an invitation lets somebody in, as often and as long as its options say', async () => {
  const env = await migratedCommunity('sqlite')
  const { url } = await startUnlimited(env)
  const ana = await axiosMember(url, 'Ana')
  await ana.http.patch('/api/admin/settings', { who_can_join: 'invitation' })
  const { status, output } = engawa(env, ['invite', '--days', '2', '--note', 'the choir'])
  expect([status, output]).toEqual([0, expect.stringMatching(/^http:\S+\/register#\S+$/)])
  const invitation = output.split('#')[1]
  const [listed] = (await ana.http.get('/api/admin/invitations')).data
  expect(listed).toMatchObject({ max_uses: 1, note: 'the choir', is_open: true, created_by: null })
  expect(Date.parse(listed.expires_at) - Date.parse(listed.created_at)).toBeCloseTo(2 * 86_400_000, -3)
  await axiosMember(url, 'Ben', { invitation })
  await expect(axiosMember(url, 'Eve', { invitation })).rejects.toThrow()
  for (const args of [
    ['--uses', '0'],
    ['--uses', '1001'],
    ['--days', '91'],
    ['--days', 'x'],
  ])
    expect(engawa(env, ['invite', ...args])).toMatchObject({
      status: 1,
      output: expect.stringMatching(/takes a number from 1 to/),
    })
  expect(engawa(env, ['invite', '--note', 'x'.repeat(201)])).toMatchObject({
    status: 1,
    output: expect.stringContaining('--note takes at most 200 characters.'),
  })
  await ana.http.patch('/api/admin/settings', { who_can_join: 'closed' })
  expect(engawa(env, ['invite'])).toMatchObject({
    status: 1,
    output: expect.stringContaining('Nobody can join'),
  })
})

/** Starts a mail server that refuses the recipients at `no.example`, and senders at `bad.example`. */
async function startMailServer() {
  const received: string[] = []
  const refuse = (text: string) => Object.assign(new Error(text), { responseCode: 550 })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: (_, __, done) => done(Object.assign(new Error('bad log-in'), { responseCode: 535 })),
    onMailFrom: ({ address }, _, done) =>
      done(address.endsWith('bad.example') ? refuse('no such sender') : null),
    onRcptTo: ({ address }, _, done) =>
      done(address.endsWith('no.example') ? refuse('no such person') : null),
    onData(stream, { envelope }, done) {
      received.push(...envelope.rcptTo.map(({ address }) => address))
      stream.resume().on('end', () => done())
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)))
  return { port: (server.server.address() as { port: number }).port, received }
}

test('a test mail says plainly what went wrong', async () => {
  const env = await migratedCommunity('sqlite')
  const { port } = await startMailServer()
  const send = async (more: ServerEnvironment, to = 'a@b.example') => {
    const { PATH = '', HOME = '' } = process.env
    const { spawn } = await import('node:child_process')
    const child = spawn(join(import.meta.dirname, '../bin/engawa'), ['mail', 'test', to], {
      env: { PATH, HOME, ...bundle, ...env, ...more },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
    const status = await new Promise((closed) => child.once('close', closed))
    expect(output.trim().split('\n'), output).toHaveLength(1)
    return `${status} ${output.trim()}`
  }
  const SMTP_URL = `smtp://127.0.0.1:${port}`
  expect(await send({})).toMatch(/^1 No mail server is set/)
  expect(await send({ SMTP_URL })).toMatch(/^0 The mail server has accepted the mail to a@b\.example: 250/)
  expect(await send({ SMTP_URL }, 'ann')).toMatch(/^1 EMAIL takes/)
  expect(await send({ SMTP_URL }, 'a@no.example')).toMatch(
    /^1 The mail server refuses this recipient\. .*no such person/,
  )
  expect(await send({ SMTP_URL, MAIL_FROM: 'x@bad.example' })).toMatch(
    /^1 The mail server refuses the sender.*no such sender/,
  )
  const withUser = `smtp://someone:hunter22@127.0.0.1:${port}`
  const refused = await send({ SMTP_URL: withUser })
  expect(refused).toMatch(/^1 The mail server refuses the user or the password of SMTP_URL\./)
  expect(refused).not.toContain('hunter22')
  expect(await send({ SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` })).toMatch(
    /^1 The mail server of SMTP_URL cannot be reached\./,
  )
})

test('the doctor is right after a first backup was restored, and prints JSON', async () => {
  const env = await migratedCommunity('sqlite')
  const server = await startUnlimited(env)
  await axiosMember(server.url, 'Ana')
  await server.stop()
  const [, backup] = /^The backup is in (.+)$/m.exec(engawa(env, ['backup']).output)!
  const elsewhere = { DATA_DIR: await serverFolder() }
  expect(engawa(elsewhere, ['restore', backup!]).status).toBe(0)
  const { status, output } = engawa(elsewhere, ['doctor', '--json'])
  expect(status).toBe(0)
  const { checks, versions } = JSON.parse(output)
  expect(versions).toContainEqual({ name: 'Engawa', version: expect.any(String) })
  const of = (wanted: string) => checks.find(({ name }: { name: string }) => name === wanted)
  expect(of('backups')).toMatchObject({
    name: 'backups',
    status: 'ok',
    title: 'Backups',
    finding: expect.stringMatching(/^The newest backup was made/),
    advice: null,
  })
  for (const name of ['pictures', 'secrets']) expect(of(name).status).toBe('ok')
})
