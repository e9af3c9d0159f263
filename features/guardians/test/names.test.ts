import { describe, expect, test, vi } from 'vitest'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { type Dialect, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { connectSubscribed, messagesArrived } from '#tests/sockets.ts'
import { decideContact as decide, followAs, guardianScene, type Actor as Member } from './guardian-scene.ts'

vi.setConfig({ testTimeout: 60_000 })

const THUMB = encodeURIComponent('👍')

async function succeed(answer: ReturnType<TestClient['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

/** Kid and Uma are in a group of Ada, and Mum has refused their contact. */
async function open(dialect: Dialect) {
  const app = await guardianScene(dialect)
  const { Ada, Kid, Uma, Ben, Mum } = app
  expect((await followAs(Uma, Kid)).status).toBe(403)
  await succeed(decide(Mum, Kid, Uma, 'refused'))
  return { ...app, club: await createGroup(Ada, 'Club', Kid, Uma, Ben) }
}

describe.each(dialectsInTurn())('after a refusal on %s, the app', (dialect) => {
  test('does not name the other as the author of a forwarded message', async () => {
    const scene = await open(dialect)
    const { Kid, Uma, Ben, club } = scene
    for (const [one, other] of [[Kid, Ben] as const, [Ben, Kid] as const]) await succeed(followAs(one, other))
    const connect = async (who: Member) => {
      const client = await connectSubscribed(scene.url, 'posts')
      await scene.subscribeAs(who, `presence-user.${who.id}`, client)
      return client
    }
    const [kid, ben] = [await connect(Kid), await connect(Ben)]
    const { id } = await sendToGroup(Uma, club, 'Look')
    for (const target of [{ group_id: club }, { user_id: Kid.id }])
      await succeed(Ben.post(`/api/chat-messages/${id}/forward`, target))
    scene.realtime.broadcast(['posts'], 'Last', {})
    for (const client of [kid, ben]) await client.nextMessage('Last')
    await messagesArrived(kid, ben)
    const marks = ({ inbox }: typeof kid) =>
      inbox.flatMap(({ event, data }) => {
        const { forwarded } = data as { forwarded?: { from: { name: string } | null } }
        return forwarded ? [`${event} ${forwarded.from?.name}`] : []
      })
    const named = (name?: string) => [`GroupMessageSent ${name}`, `PrivateMessageSent ${name}`]
    expect(marks(kid)).toEqual(named())
    expect(marks(ben)).toEqual(named('Uma'))
    const listed = async (path: string) => JSON.stringify((await Kid.get(path)).body)
    expect(await listed(`/api/messages/${Ben.id}`)).not.toContain('Uma')
    expect(await listed(`/api/group-messages/${club}`)).toMatch(/"forwarded":\{"from":null\}/)
  })

  test('leaves the other out of suggestions, and of lists of who reacted', async () => {
    const scene = await open(dialect)
    const { Ada, Kid, Uma, Ben, club } = scene
    const own: number = (await succeed(Kid.post('/api/posts', { text: 'Hello' }))).post.id
    const replied = await succeed(Kid.post(`/api/posts/${own}/replies`, { text: 'Hello' }))
    const answer: number = replied.reply.id
    for (const who of [Uma, Ben]) {
      await succeed(who.post(`/api/posts/${own}/like`))
      await succeed(who.put(`/api/posts/${own}/reactions/${THUMB}`))
      await succeed(who.put(`/api/replies/${answer}/like`))
    }
    const lists = [
      ...[`/api/posts/${own}/likes`, `/api/posts/${own}/reactions`, `/api/replies/${answer}/likes`],
      ...['/api/mention-candidates', `/api/mention-candidates?group=${club}`],
    ]
    for (const path of lists) {
      const read = async (who: Member) => JSON.stringify(await succeed(who.get(path)))
      expect(await read(Kid), path).toContain('Ben')
      expect(await read(Kid), path).not.toContain('Uma')
      expect(await read(Ada), path).toContain('Uma')
    }
    expect((await Kid.get(`/api/posts/${own}`)).body.likes_count).toBe(2)
    expect(JSON.stringify((await Uma.get('/api/mention-candidates')).body)).not.toContain('Kid')
  })
})
