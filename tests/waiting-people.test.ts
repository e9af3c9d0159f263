import { describe, expect, test, vi } from 'vitest'
import { apiContracts, pageDefinitions } from '#app.ts'
import { databases, type TestClient } from '#tests/harness.ts'
import { approvalScene, askAndVerify, waitingRequests } from '#tests/join-requests.ts'

vi.setConfig({ testTimeout: 120_000 })

const NAME = 'Marmaduke'
const endpoints = Object.values(apiContracts).flatMap((contract) => Object.values(contract))
/** The path of the only GET endpoint that shows people who wait until an admin lets them join. */
const QUEUE = '/api/admin/join-requests'

/**
 * Requests every GET endpoint and every page as `who`. Returns the status and text of the responses in a map,
 * by endpoint or path.
 */
async function visitEverything(who: TestClient, id: number) {
  const answers = new Map<string, { status: number; text: string }>()
  const fields = { id, hash: 'a'.repeat(40), q: NAME, name: NAME, user_id: id, targetUserId: id }
  const fill = (path: string) =>
    path.replace(/:(\w+)/g, (_, name: string) => String(fields[name as keyof typeof fields] ?? id))
  const visit = async (key: string, asked: ReturnType<TestClient['get']>) => {
    const { status, raw } = await asked
    answers.set(key, { status, text: raw.toString('utf8') })
  }
  for (const { method, path } of endpoints)
    if (method === 'GET') await visit(`GET ${path}`, who.get(`${fill(path)}?q=${NAME}`))
  for (const { path } of pageDefinitions) await visit(path, who.get(fill(path), { accept: 'text/html' }))
  return answers
}

describe.each(databases)('a person whose request to join waits, on %s', (dialect) => {
  test('is in no call and no page of members and strangers, and only in the queue of admins', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    const { person } = await askAndVerify(app, NAME, { answer: `${NAME} of the mill` })
    const [request] = await waitingRequests(Ann)
    const stranger = app.visitor()
    for (const id of [request!.id, 3])
      for (const who of [Ben, stranger, person])
        for (const [address, { text }] of await visitEverything(who, id)) {
          const withoutQuery = text.replaceAll(`q=${NAME}`, '')
          expect(withoutQuery.toLowerCase(), address).not.toContain(NAME.toLowerCase())
        }
    const seen = [...(await visitEverything(Ann, 3))].filter(([, { text }]) =>
      text.replaceAll(`q=${NAME}`, '').includes(NAME),
    )
    expect(seen.map(([address]) => address)).toEqual([`GET ${QUEUE}`])
    const { members } = (await Ann.get('/api/admin/facts')).body
    expect(members).toBe(2)
  })

  test('gets what a stranger gets from every call and every page', async () => {
    const { app } = await approvalScene(dialect)
    const { person, logIn } = await askAndVerify(app, NAME)
    await logIn()
    const stranger = app.visitor({ 'accept-language': 'en' })
    await stranger.get('/sanctum/csrf-cookie')
    const [mine, theirs] = [await visitEverything(person, 1), await visitEverything(stranger, 1)]
    for (const [address, { status }] of theirs) expect(mine.get(address)!.status, address).toBe(status)
    for (const { method, path, access } of endpoints) {
      if (method === 'GET' || access === 'anyone') continue
      const { status } = await person.send(method, path.replace(/:(\w+)/g, '1'), { id: 1 })
      expect(status, path).toBe(access === 'reader' ? status : 401)
    }
  })
})
