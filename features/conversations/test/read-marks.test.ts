import { describe, expect, test, vi } from 'vitest'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'

// In each test of this file, Cid blocks Ann after the first message. Both are in a group with Ben.

describe.each(dialectsInTurn())('read marks of a group with a block on %s', (dialect) => {
  async function open() {
    const testApp = await createTestApp({ dialect })
    const { ann, ben, cid } = await testApp.members('ann', 'ben', 'cid')
    const group = await createGroup(ann, 'Garden', ben, cid)
    const first = await sendToGroup(ann, group, 'Seen by all')
    await cid.post(`/api/users/${ann.id}/block`)
    const markRead = (who: typeof ann, last_read_id: number) =>
      who.send('PUT', `/api/groups/${group}/read`, { last_read_id })
    const readMarks = async (who: typeof ann) => {
      const { reads, last_read_id } = (await who.get(`/api/groups/${group}`)).body
      return { reads, last_read_id }
    }
    return { ...testApp, ann, ben, cid, group, first, markRead, readMarks }
  }

  test('do not point at messages of a person who has blocked the viewer', async () => {
    const { ann, ben, cid, group, first, markRead, readMarks } = await open()
    const secret = await sendToGroup(cid, group, 'Not for Ann')
    await markRead(ben, secret.id)
    expect((await readMarks(cid)).reads).toEqual([{ user_id: ben.id, last_read_id: secret.id }])
    expect((await readMarks(ann)).reads).toEqual([{ user_id: ben.id, last_read_id: first.id }])
    await markRead(ann, 999_999)
    expect((await readMarks(ann)).last_read_id).toBe(first.id)
    expect((await readMarks(ben)).reads).toContainEqual({ user_id: ann.id, last_read_id: first.id })
  })

  test('are absent where the viewer knows no message before them', async () => {
    const { ann, ben, cid, members } = await open()
    const { dan } = await members('dan')
    const other = await createGroup(ann, 'Kitchen', ben, cid, dan)
    await dan.post(`/api/users/${ben.id}/block`)
    const secret = await sendToGroup(dan, other, 'Not for Ben')
    await cid.send('PUT', `/api/groups/${other}/read`, { last_read_id: secret.id })
    expect((await ben.get(`/api/groups/${other}`)).body.reads).toEqual([])
    expect((await cid.get(`/api/groups/${other}`)).body.reads).toEqual([
      { user_id: dan.id, last_read_id: secret.id },
    ])
  })

  test('move with an own message as if the messages of the blocker did not exist', async () => {
    const { ann, ben, cid, group, first, markRead, readMarks } = await open()
    await markRead(ann, first.id)
    await sendToGroup(cid, group, 'Not for Ann')
    const own = await sendToGroup(ann, group, 'Mine')
    expect((await readMarks(ann)).last_read_id).toBe(own.id)
    // While Ann has an unread message that she can see, her own new message does not move her read mark.
    await sendToGroup(ben, group, 'For all')
    await sendToGroup(ann, group, 'Mine again')
    expect((await readMarks(ann)).last_read_id).toBe(own.id)
  })

  test('leave for nobody who may not see the author of their message', async () => {
    const { ben, cid, group, first, markRead, ...testApp } = await open()
    const secret = await sendToGroup(cid, group, 'Not for Ann')
    const send = vi.spyOn(testApp.context.realtime, 'broadcast')
    await markRead(ben, first.id)
    await markRead(ben, secret.id)
    const marks = send.mock.calls.filter(([, event]) => event === 'MessagesRead')
    expect(marks.map(([, , , options]) => options)).toMatchObject([
      { aboutUsers: [ben.id, testApp.ann.id] },
      { aboutUsers: [ben.id, cid.id] },
    ])
  })
})
