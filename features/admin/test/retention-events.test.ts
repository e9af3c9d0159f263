import { describe, expect, test } from 'vitest'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, befriend, createGroup, sendToGroup, spyOnBroadcasts } from '#tests/conversations.ts'
import { databases, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { retentionFunctions, saveRetention } from '#tests/retention-scene.ts'
import { realtimeApp } from '#tests/sockets.ts'

const createPicture = async () => uploadFile(await fourColours().png().toBuffer(), 'a.png')

describe.each(databases)('pictures that are removed because of their age, on %s', (dialect) => {
  async function open() {
    const app = await realtimeApp({ dialect })
    const people = await app.members('Ann', 'Ben', 'Eve')
    await saveRetention(people.Ann, { keep_pictures_days: 90 })
    return { ...app, ...people, ...retentionFunctions(app) }
  }
  async function sendPicture(who: Actor, path: string, fields: Record<string, string>) {
    const { status, body } = await who.post(path, formData(fields, { 'images[]': [await createPicture()] }))
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return (body.post ?? body.message).id as number
  }

  test('leave the posts in the open windows of those who may see them', async () => {
    const { Ann, Ben, Eve, db, makePostOld, endGrace, run, subscribeAs, ...app } = await open()
    await Ben.post(`/api/follow/${Ann.id}`)
    const post = (text: string, audience: string) => sendPicture(Ann, '/api/posts', { text, audience })
    const forAll = [await post('one', 'everyone'), await post('two', 'everyone')]
    const [forFollowers, hidden] = [await post('three', 'followers'), await post('four', 'everyone')]
    await post('new', 'everyone')
    for (const id of [...forAll, forFollowers, hidden]) await makePostOld(id, 91)
    await transaction(db, (tx) =>
      tx.insertInto('hidden_posts').values({ post_id: hidden, created_at: isoNow() }).execute(),
    )
    await Eve.post(`/api/users/${Ann.id}/block`)
    const openWindow = async (who: Actor) => {
      // The server knows the member of a WebSocket connection only after the first subscription to a channel
      // that is not public.
      const client = await subscribeAs(who, `presence-user.${who.id}`)
      client.subscribe('posts', {})
      await client.nextMessage('pusher_internal:subscription_succeeded')
      return client
    }
    const windows = { ben: await openWindow(Ben), eve: await openWindow(Eve) }
    await endGrace()
    await run()
    app.realtime.broadcast(['posts'], 'Last', {})
    for (const window of Object.values(windows)) await window.nextMessage('Last')
    const read = ({ received }: typeof windows.ben) => received('PostImagesRemoved').map(({ data }) => data)
    expect(read(windows.eve)).toEqual([])
    expect(read(windows.ben)).toHaveLength(2)
    expect(read(windows.ben)).toEqual(expect.arrayContaining([{ ids: forAll }, { ids: [forFollowers] }]))
  })

  test('leave the messages of open chats with one event for each chat', async () => {
    const { Ann, Ben, makeMessagesOld, endGrace, run, ...app } = await open()
    await befriend(Ann, Ben)
    const group = await createGroup(Ann, 'Choir', Ben)
    const inGroup = { group_id: String(group), message: 'x' }
    const old = [
      await sendPicture(Ann, '/api/group-messages/send', inGroup),
      await sendPicture(Ben, '/api/group-messages/send', inGroup),
      await sendPicture(Ann, '/api/send-private-message', { input: 'x', targetUserId: String(Ben.id) }),
    ]
    await makeMessagesOld(old, 91)
    await sendPicture(Ann, '/api/group-messages/send', inGroup)
    await sendToGroup(Ben, group, 'new')
    await endGrace()
    const { recorded } = spyOnBroadcasts(app)
    await run()
    const events = recorded('MessageImagesRemoved').sort((a, b) => a.data.before_id - b.data.before_id)
    expect(events.map(({ to, data }) => ({ to, data }))).toEqual([
      { to: [`private-group-chat.${group}`], data: { before_id: old[1]! + 1 } },
      { to: [`private-chat.${Ann.id}.${Ben.id}`], data: { before_id: old[2]! + 1 } },
    ])
  })
})
