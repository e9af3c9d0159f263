import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { eachPage } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'
import { occupiedChannels } from '#tests/sockets.ts'
import { cleanUp } from '../model.ts'
import { answer, bellOf, boardOf, listedOf, rollCallScene } from './roll-call-scene.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(databases)('a roll call on %s', (dialect) => {
  test('tells everybody, and ends for each with the answer', async () => {
    const { Ada, Oda, Ben, Mum, Kid, start } = await rollCallScene(dialect)
    const id = await start(Ada)
    for (const who of [Ada, Oda, Ben, Mum, Kid]) expect(await bellOf(who)).toEqual([1, 0])
    expect((await Ben.get('/api/notifications')).body[0]).toMatchObject({ kind: 'roll_call', waiting: 1 })
    const { status, body } = await answer(Ben, id, 'safe', { place: 'School', words: 'All fine' })
    expect([status, body.people]).toMatchObject([
      200,
      [
        {
          person: { id: Ben.id },
          answers: [{ state: 'safe', place: 'School', words: 'All fine', by: { id: Ben.id } }],
        },
      ],
    ])
    expect(await bellOf(Ben)).toEqual([0, 0])
    expect((await Ben.get('/api/roll-calls')).body).toMatchObject([
      { id, waiting: 0, manages: false, group: null },
    ])
    expect((await Oda.get('/api/roll-calls')).body).toMatchObject([{ id, waiting: 1 }])
  })

  test('tells those in charge at once who needs help, until they do not or it ends', async () => {
    const { Ada, Oda, Ben, Mum, group, start, told } = await rollCallScene(dialect)
    const helpOf = async (...people: (typeof Ada)[]) => {
      const bells = await Promise.all(people.map((who) => who.get('/api/notifications/unread')))
      return bells.map(({ body }) => body.waiting.roll_call_help)
    }
    const drill = await start(Oda, { group_id: group, is_drill: true })
    await answer(Ben, drill, 'help')
    expect(await helpOf(Ada, Oda)).toEqual([0, 0])
    await Oda.post(`/api/roll-calls/${drill}/end`)
    const id = await start(Oda, { group_id: group })
    await answer(Ben, id, 'help')
    await answer(Ben, id, 'help', { words: 'Please come' })
    expect(await helpOf(Ada, Oda, Ben, Mum)).toEqual([1, 1, 0, 0])
    expect((await Oda.get('/api/notifications')).body[0]).toMatchObject({
      kind: 'roll_call_help',
      waiting: 1,
    })
    await answer(Oda, id, 'help')
    expect(await helpOf(Ada, Oda)).toEqual([2, 1])
    await answer(Ben, id, 'safe')
    expect(await helpOf(Ada, Oda)).toEqual([1, 0])
    await Oda.post(`/api/roll-calls/${id}/end`)
    await told()
    expect(await helpOf(Ada, Oda)).toEqual([0, 0])
  })

  test('closes the board in the open window of a former owner', async () => {
    const { Ada, Oda, Ben, group, start, subscribeAs, realtime } = await rollCallScene(dialect)
    const id = await start(Oda, { group_id: group })
    const channel = `private-roll-call.${id}`
    await subscribeAs(Oda, channel)
    expect(await occupiedChannels(realtime)).toContain(channel)
    expect((await Oda.put(`/api/groups/${group}/owner`, { user_id: Ben.id })).status).toBe(200)
    await vi.waitUntil(async () => !(await occupiedChannels(realtime)).includes(channel), 10_000)
    await subscribeAs(Ben, channel)
    expect((await Ada.get(`/api/roll-calls/${id}/board`)).status).toBe(200)
  })

  test('keeps the newer answer when an older one arrives late, as from a phone without a signal', async () => {
    const { Ada, Ben, start } = await rollCallScene(dialect)
    const id = await start(Ada)
    await answer(Ben, id, 'safe')
    const late = await answer(Ben, id, 'help', { waited: 60 })
    expect(late.body.people[0].answers).toMatchObject([{ state: 'safe' }])
    expect((await answer(Ben, id, 'help', { waited: 0 })).body.people[0].answers[0].state).toBe('help')
    expect((await answer(Ben, id, 'help', { waited: -1 })).status).toBe(422)
  })

  test('shows on the board who needs help first, then who has not answered', async () => {
    const { Ada, Oda, Ben, Mum, start, group } = await rollCallScene(dialect)
    const id = await start(Ada)
    await answer(Ada, id, 'safe')
    await answer(Oda, id, 'away')
    await answer(Ben, id, 'safe')
    await answer(Ben, id, 'help', { place: 'Gym' })
    expect(await listedOf(Ada, id)).toEqual([
      ['Ben', 'help'],
      ['Mum', null],
      ['Kid', null],
      ['Oda', 'away'],
      ['Ada', 'safe'],
    ])
    expect((await eachPage(Ada, `/api/roll-calls/${id}/members?limit=2`)).map((page) => page.length)).toEqual(
      [2, 2, 1],
    )
    expect(await listedOf(Ada, id, '?state=none')).toEqual([
      ['Mum', null],
      ['Kid', null],
    ])
    expect(await listedOf(Ada, id, `?group_id=${group}`)).toEqual([
      ['Ben', 'help'],
      ['Oda', 'away'],
    ])
    expect(await boardOf(Ada, id)).toEqual({
      counts: { help: 1, none: 2, away: 1, safe: 1 },
      groups: [{ id: group, name: 'Choir', counts: { help: 1, none: 0, away: 1, safe: 0 } }],
    })
    const [own] = (await Ben.get(`/api/roll-calls/${id}`)).body.people
    expect(own.answers.map(({ state }: { state: string }) => state)).toEqual(['help', 'safe'])
    for (const path of ['board', 'members', 'report'])
      expect((await Mum.get(`/api/roll-calls/${id}/${path}`)).status).toBe(404)
  })

  test('of a group is for its owner and its members', async () => {
    const { Ada, Oda, Ben, Mum, start, group } = await rollCallScene(dialect)
    for (const group_id of [null, group])
      expect((await Ben.post('/api/roll-calls', { title: 'x', group_id })).status).toBe(403)
    expect((await Oda.post('/api/roll-calls', { title: 'x' })).status).toBe(403)
    expect((await Ada.post('/api/roll-calls', { title: 'x', group_id: 999 })).status).toBe(404)
    expect((await Oda.get('/api/roll-calls/scopes')).body).toEqual({
      everyone: false,
      groups: [{ id: group, name: 'Choir' }],
    })
    const id = await start(Oda, { group_id: group })
    expect((await Oda.post('/api/roll-calls', { title: 'x', group_id: group })).status).toBe(409)
    expect(await bellOf(Mum)).toEqual([0, 0])
    expect((await Mum.get(`/api/roll-calls/${id}`)).status).toBe(404)
    expect((await answer(Mum, id, 'safe')).status).toBe(404)
    expect(await listedOf(Oda, id)).toEqual([
      ['Oda', null],
      ['Ben', null],
    ])
    expect((await Ben.post(`/api/roll-calls/${id}/end`)).status).toBe(404)
    await Ben.delete(`/api/groups/${group}/members/${Ben.id}`)
  })

  test('is answered for a child by a guardian, who is shown', async () => {
    const { Ada, Ben, Mum, Kid, start } = await rollCallScene(dialect)
    const id = await start(Ada)
    await answer(Mum, id, 'safe')
    expect(await bellOf(Mum)).toEqual([1, 0])
    expect((await answer(Mum, id, 'safe', { for: Kid.id })).status).toBe(200)
    expect([await bellOf(Mum), await bellOf(Kid)]).toEqual([
      [0, 0],
      [0, 0],
    ])
    const [row] = (await Ada.get(`/api/roll-calls/${id}/members?state=safe`)).body.filter(
      ({ person }: { person: { id: number } }) => person.id === Kid.id,
    )
    expect(row.answer.by).toMatchObject({ id: Mum.id, name: 'Mum' })
    expect((await answer(Ben, id, 'safe', { for: Kid.id })).status).toBe(404)
    expect((await answer(Mum, id, 'safe', { for: Ben.id })).status).toBe(404)
  })

  test('takes no answers after its end, and waits for nobody any more', async () => {
    const { Ada, Ben, start, told } = await rollCallScene(dialect)
    const id = await start(Ada)
    expect((await Ada.post(`/api/roll-calls/${id}/end`)).body.ended_at).toEqual(expect.any(String))
    await told()
    expect(await bellOf(Ben)).toEqual([0, 0])
    expect((await answer(Ben, id, 'safe')).status).toBe(409)
    expect((await Ben.get('/api/roll-calls')).body).toMatchObject([{ waiting: 0 }])
    await start(Ada)
  })

  test('does not count suspended members, deleted accounts, and those who left the group', async () => {
    const { Ada, Oda, Ben, Kid, db, start, group } = await rollCallScene(dialect)
    const id = await start(Ada)
    const own = await start(Oda, { group_id: group })
    expect((await Ada.put(`/api/admin/users/${Kid.id}/suspension`, { reason: 'x' })).status).toBeLessThan(300)
    expect((await boardOf(Ada, id)).counts.none).toBe(4)
    expect((await Oda.delete(`/api/groups/${group}/members/${Ben.id}`)).status).toBeLessThan(300)
    expect((await boardOf(Oda, own)).counts.none).toBe(1)
    expect(await bellOf(Ben)).toEqual([1, 0])
    await transaction(db, (tx) => tx.deleteFrom('users').where('id', '=', Kid.id).execute())
    expect((await boardOf(Ada, id)).counts.none).toBe(4)
  })

  test('hides from the owner of a group who has blocked them, but not from admins', async () => {
    const { Ada, Oda, Ben, start, group } = await rollCallScene(dialect)
    const id = await start(Oda, { group_id: group })
    await answer(Ben, id, 'help', { place: 'Home' })
    await Ben.post(`/api/users/${Oda.id}/block`)
    await Ben.post(`/api/users/${Ada.id}/block`)
    expect(await listedOf(Oda, id)).toEqual([['Oda', null]])
    expect(await listedOf(Ada, id)).toEqual([
      ['Ben', 'help'],
      ['Oda', null],
    ])
    expect((await boardOf(Oda, id)).counts.help).toBe(1)
  })

  test('ends by itself after two weeks, and is deleted after a year', async () => {
    const { Ada, db, context, start, told } = await rollCallScene(dialect)
    const id = await start(Ada)
    const age = (set: object) => transaction(db, (tx) => tx.updateTable('roll_calls').set(set).execute())
    await age({ started_at: '2020-01-01T00:00:00.000Z' })
    await cleanUp(context)
    await told()
    expect((await Ada.get(`/api/roll-calls/${id}`)).body.ended_at).toEqual(expect.any(String))
    await age({ ended_at: '2020-01-01T00:00:00.000Z' })
    await cleanUp(context)
    expect(await readRows(db, 'roll_call_members')).toEqual([])
  })

  test('fills the board of those in charge live', async () => {
    const { Ada, Ben, Mum, start, subscribeAs, sign } = await rollCallScene(dialect)
    const id = await start(Ada)
    const client = await subscribeAs(Ada, `private-roll-call.${id}`)
    await answer(Ben, id, 'help')
    expect((await client.nextMessage('RollCallChanged')).data).toEqual({
      user_id: Ben.id,
      state: 'help',
      ended_at: null,
    })
    expect((await sign(Mum, client.id, `private-roll-call.${id}`)).status).toBe(403)
  })

  test('refuses what is too long, naming the field', async () => {
    const { Ada, start } = await rollCallScene(dialect)
    const refused = await Ada.post('/api/roll-calls', { title: 'x'.repeat(201) })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['title']])
    const id = await start(Ada)
    const wrong = await answer(Ada, id, 'fine', { words: 'x'.repeat(501), place: 'x'.repeat(101) })
    expect([wrong.status, Object.keys(wrong.body.errors).sort()]).toEqual([422, ['place', 'state', 'words']])
  })
})
