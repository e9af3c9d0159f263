import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import type { Actor } from '#tests/conversations.ts'
import { databases, dialectsInTurn, readRows } from '#tests/harness.ts'
import { jsonOfExport, makeExport } from '../../export/test/exports.ts'
import type { Poll } from '../contract.ts'
import { endInTime } from '../model.ts'
import {
  answer,
  askInGroup,
  askInPost,
  choice,
  choose,
  namesOf,
  pollOf,
  pollScene,
  sums,
} from './poll-scene.ts'

const soon = () => new Date(Date.now() + 3600_000).toISOString()

describe.each(databases)('polls on %s', (dialect) => {
  test('count one choice of each member, which can change until the end', async () => {
    const { Ann, Ben, Cleo, stranger } = await pollScene(dialect)
    const poll = await askInPost(Ann)
    expect((await choose(Ben, poll, 0)).body.mine.answers).toEqual([
      { option: poll.options[0]!.id, answer: 'yes' },
    ])
    await choose(Ben, poll, 2)
    await choose(Cleo, poll, 2)
    expect(sums(await pollOf(Ann, poll.post))).toEqual([0, 0, 2])
    expect(await pollOf(stranger, poll.post)).toMatchObject({ voters_count: 2, mine: null })
    expect((await choose(Ben, poll, 0, 1)).body.errors).toHaveProperty('options')
    expect((await Ben.delete(`/api/polls/${poll.id}/vote`)).body.mine).toBe(null)
    expect((await Ben.post(`/api/polls/${poll.id}/end`)).status).toBe(403)
    expect((await Ann.post(`/api/polls/${poll.id}/end`)).body.ended_at).toEqual(expect.any(String))
    expect((await choose(Ben, poll, 0)).status).toBe(403)
    expect((await Cleo.delete(`/api/polls/${poll.id}/vote`)).status).toBe(403)
    expect(sums(await pollOf(Ben, poll.post))).toEqual([0, 0, 1])
  })

  test('wait for those who may answer and have not, until the end', async () => {
    const { Ann, Ben, Cleo, Eva, group } = await pollScene(dialect)
    const waiting = async (who: Actor) => (await who.get('/api/polls/waiting')).body
    const poll = await askInPost(Ann)
    const inGroup = await askInGroup(Ann, group)
    const members = await askInPost(Ann, choice(), { audience: 'group', group_id: group })
    const secret = await askInPost(Ann, choice({ ballot: 'secret' }), { audience: 'followers' })
    expect(await waiting(Ann)).toEqual([])
    expect(await waiting(Ben)).toMatchObject([
      { id: members.id, post_id: members.post, message_id: null, group_id: null, user: { name: 'Ann' } },
      { id: inGroup.id, post_id: null, message_id: inGroup.message, group_id: group, kind: 'choice' },
      { id: poll.id, post_id: poll.post, text: expect.any(String), ends_at: null },
    ])
    expect((await waiting(Eva)).map(({ id }: Poll) => id)).toEqual([poll.id])
    await choose(Ben, inGroup, 0)
    await Ann.post(`/api/polls/${members.id}/end`)
    expect((await waiting(Ben)).map(({ id }: Poll) => id)).toEqual([poll.id])
    const { body, headers } = await Cleo.get('/api/polls/waiting?limit=1')
    expect(body).toMatchObject([{ id: inGroup.id }])
    expect(headers.link).toContain(`before=${inGroup.id}`)
    await Cleo.post(`/api/users/${Ann.id}/block`)
    expect(await waiting(Cleo)).toEqual([])
    expect((await waiting(Ben)).some(({ id }: Poll) => id === secret.id)).toBe(false)
  })

  test('end at their time, also if they are secret', async () => {
    const { Ann, Ben, context, db } = await pollScene(dialect)
    const poll = await askInPost(Ann, choice({ ends_at: soon(), ballot: 'secret' }))
    await choose(Ben, poll, 1)
    await transaction(db, (tx) =>
      tx
        .updateTable('polls')
        .set({ ends_at: new Date(Date.now() - 1000).toISOString() })
        .execute(),
    )
    expect((await choose(Ben, poll, 0)).status).toBe(403)
    expect(sums(await pollOf(Ann, poll.post))).toEqual([null, null, null])
    await endInTime(context, poll.id)
    await endInTime(context, poll.id)
    expect(sums(await pollOf(Ann, poll.post))).toEqual([0, 1, 0])
  })

  test('that are secret keep who voted apart from what, and show sums at the end', async () => {
    const { Ann, Ben, Cleo, Dan, Eva, db } = await pollScene(dialect)
    const poll = await askInPost(Ann, choice({ ballot: 'secret', choices: 'several' }))
    for (const who of [Ann, Ben, Cleo, Dan]) await choose(who, poll, 0)
    await choose(Dan, poll, 0, 1)
    await choose(Eva, poll, 2)
    await choose(Ben, poll, 1)
    for (const who of [Ann, Ben]) {
      const shown = await pollOf(who, poll.post)
      expect([shown!.voters_count, sums(shown)]).toEqual([null, [null, null, null]])
    }
    expect(await pollOf(Ben, poll.post)).toMatchObject({
      mine: { answers: [{ option: poll.options[1]!.id }] },
    })
    for (const path of [`voters?option=${poll.options[0]!.id}`, 'missing'])
      expect((await Ann.get(`/api/polls/${poll.id}/${path}`)).status).toBe(403)
    expect(await readRows(db, 'poll_votes')).toEqual([])
    await Ann.post(`/api/polls/${poll.id}/end`)
    const ended = await pollOf(Ben, poll.post)
    expect([ended!.voters_count, sums(ended), ended!.mine]).toEqual([
      5,
      [3, 2, 1],
      { answers: [], note: null, guests: 0 },
    ])
    expect(await readRows(db, 'poll_ballots')).toEqual([])
    expect(await readRows(db, 'polls')).toMatchObject([{ ballot_key: null }])
  })

  test('are seen, answered and asked about only by those who see the post or message', async () => {
    const { Ann, Ben, Eva, group, stranger } = await pollScene(dialect)
    const inPost = await askInPost(Ann, choice(), { audience: 'group', group_id: group })
    const inChat = await askInGroup(Ann, group)
    for (const poll of [inPost, inChat]) {
      const voters = `/api/polls/${poll.id}/voters?option=${poll.options[0]!.id}`
      const tries = async (who: typeof Eva) => [
        (await choose(who, poll, 0)).status,
        (await who.get(voters)).status,
        (await who.delete(`/api/polls/${poll.id}/vote`)).status,
      ]
      expect(await tries(Ben)).toEqual([200, 200, 200])
      expect(await tries(Eva)).toEqual([404, 404, 404])
      expect(await tries(stranger as typeof Eva)).toEqual([401, 401, 401])
      expect((await Eva.post(`/api/polls/${poll.id}/end`)).status).toBe(404)
      expect((await Ben.get(`/api/polls/${poll.id}/missing`)).status).toBe(403)
    }
    expect(await pollOf(Eva, inPost.post)).toBeNull()
    expect((await Eva.get(`/api/polls?messages=${inChat.message}`)).body.messages).toEqual({
      [inChat.message]: null,
    })
    await Ann.delete(`/api/chat-messages/${inChat.message}`)
    expect((await choose(Ben, inChat, 0)).status).toBe(404)
  })

  test('name who has voted and who is missing, without blocked people', async () => {
    const { Ann, Ben, Cleo, Dan, group } = await pollScene(dialect)
    const poll = await askInGroup(Ann, group)
    const missing = `/api/polls/${poll.id}/missing`
    expect(await namesOf(Ann, missing)).toEqual(['Ben', 'Cleo', 'Dan'])
    const page = await Ann.get(`${missing}?limit=2`)
    expect(page.body).toHaveLength(2)
    expect(String(page.headers.link)).toContain(`after=${Cleo.id}`)
    for (const who of [Ben, Cleo]) await choose(who, poll, 1)
    expect(await namesOf(Ann, missing)).toEqual(['Dan'])
    const voters = `/api/polls/${poll.id}/voters?option=${poll.options[1]!.id}`
    expect(await namesOf(Dan, voters)).toEqual(['Ben', 'Cleo'])
    const file = await Ann.get(`/api/polls/${poll.id}/votes.csv`)
    const cells = String(file.body).trim().split('\r\n')
    expect(cells.map((line) => line.replaceAll('"', '').split(',').slice(0, 3))).toEqual([
      ['Name', ...poll.options.slice(0, 2).map(({ text }) => text)],
      ['Ben', '', '○'],
      ['Cleo', '', '○'],
      ['Dan', 'not yet', ''],
    ])
    expect((await Ben.get(`/api/polls/${poll.id}/votes.csv`)).status).toBe(403)
    await Dan.post(`/api/users/${Ben.id}/block`)
    expect(await namesOf(Dan, voters)).toEqual(['Cleo'])
    expect(await namesOf(Ben, voters)).toEqual(['Ben', 'Cleo'])
  })
})

describe.each(dialectsInTurn())('polls on %s', (dialect) => {
  test.each([
    ['options', choice({ options: ['One', ' ', 'One'] })],
    ['options', choice({ options: Array.from({ length: 21 }, (_, n) => `${n}`) })],
    ['options', choice({ options: ['x'.repeat(101), 'y'] })],
    ['options', { poll: { kind: 'dates', options: [{ day: '2027-02-30' }] } }],
    ['options', { poll: { kind: 'dates', options: [{ day: '' }] } }],
    ['ends_at', choice({ ends_at: '2020-01-01T00:00:00.000Z' })],
    ['ends_at', choice({ ends_at: '2099-01-01T00:00:00.000Z' })],
    ['kind', { poll: { kind: 'lottery' } }],
  ])('are refused for a wrong field (%s)', async (field, extras) => {
    const { Ann } = await pollScene(dialect)
    const { status, body } = await Ann.post('/api/posts', { text: 'Which?', extras })
    expect([status, Object.keys(body.errors)]).toEqual([422, [`poll.${field}`]])
  })

  test('show results after voting, or at the end', async () => {
    const { Ann, Ben } = await pollScene(dialect)
    const voted = await askInPost(Ann, choice({ results: 'voted' }))
    const voters = `/api/polls/${voted.id}/voters?option=${voted.options[0]!.id}`
    expect((await Ben.get(voters)).status).toBe(403)
    expect(sums((await choose(Ben, voted, 0)).body)).toEqual([1, 0, 0])
    expect((await Ben.get(voters)).status).toBe(200)
    expect(sums(await pollOf(Ann, voted.post))).toEqual([null, null, null])
    const atEnd = await askInPost(Ann, choice({ results: 'end' }))
    expect(sums((await choose(Ben, atEnd, 0)).body)).toEqual([null, null, null])
    expect(sums((await Ann.post(`/api/polls/${atEnd.id}/end`)).body)).toEqual([1, 0, 0])
  })

  test('get more choices from others if the author allows it', async () => {
    const { Ann, Ben } = await pollScene(dialect)
    const add = (poll: { id: number }, text: string) => Ben.post(`/api/polls/${poll.id}/options`, { text })
    const open = await askInPost(Ann, choice({ options_from: 'all' }))
    expect((await add(open, 'Tea')).body.options.at(-1)).toMatchObject({ text: 'Tea' })
    expect((await add(open, 'Tea')).status).toBe(422)
    const closed = await askInPost(Ann)
    expect((await add(closed, 'Tea')).status).toBe(403)
    for (let n = 0; n < 16; n++) await add(open, `Tea ${n}`)
    expect((await add(open, 'One too many')).body.errors).toHaveProperty('text')
  })

  test('about attendance have a note and guests', async () => {
    const { Ann, Ben, Cleo } = await pollScene(dialect)
    const poll = await askInPost(Ann, { poll: { kind: 'attendance' } })
    await answer(Ben, poll, ['yes'], { note: 'A bit late', guests: 2 })
    await answer(Cleo, poll, ['maybe'], { guests: 3 })
    expect(await pollOf(Ann, poll.post)).toMatchObject({
      options: [{ counts: { yes: 1, maybe: 1, no: 0 } }],
      ...{ voters_count: 2, guests_count: 2 },
    })
    const { body } = await Ann.get(`/api/polls/${poll.id}/voters?option=${poll.options[0]!.id}`)
    expect(body).toMatchObject([{ user: { name: 'Ben' }, note: 'A bit late', guests: 2 }])
    for (const wrong of [{ guests: 21 }, { guests: -1 }, { note: 'x'.repeat(201) }])
      expect((await answer(Ben, poll, ['yes'], wrong)).status).toBe(422)
    expect((await choose(Ben, poll, 0)).body.errors).toHaveProperty('answers')
  })

  test('about dates have an answer for each day', async () => {
    const { Ann, Ben } = await pollScene(dialect)
    const days = [{ day: '2027-02-01' }, { day: '2027-02-02', time: '19:30' }]
    const poll = await askInPost(Ann, { poll: { kind: 'dates', options: days } })
    expect(poll.options).toMatchObject([{ time: null }, { day: '2027-02-02', time: '19:30' }])
    const { body } = await answer(Ben, poll, ['no', 'maybe'])
    expect(body.options.map(({ counts }: { counts: object }) => counts)).toEqual([
      { yes: 0, maybe: 0, no: 1 },
      { yes: 0, maybe: 1, no: 0 },
    ])
    const other = await askInPost(Ann)
    expect((await answer(Ben, other, ['yes'])).status).toBe(422)
    expect((await Ben.put(`/api/polls/${poll.id}/vote`, { options: [other.options[0]!.id] })).status).toBe(
      422,
    )
  })

  test('are in the archive, and votes go with the account', async () => {
    const { Ann, Ben, context, db } = await pollScene(dialect)
    const named = await askInPost(Ann, choice({ options_from: 'all' }))
    const secret = await askInPost(Ann, choice({ ballot: 'secret' }))
    await Ben.post(`/api/polls/${named.id}/options`, { text: 'Tea' })
    for (const poll of [named, secret]) await choose(Ben, poll, 2)
    const { files } = await makeExport(Ben)
    expect(jsonOfExport(files, 'data/poll-choices.json')).toMatchObject([
      { text: 'Tea', post_id: named.post },
    ])
    expect(jsonOfExport(files, 'data/poll-votes.json')).toMatchObject([
      { post_id: secret.post, answers: [{ option: 'Rice', answer: 'yes' }] },
      { post_id: named.post, answers: [{ option: 'Rice', answer: 'yes' }] },
    ])
    await transaction(db, (tx) =>
      deleteMember(context, tx, { id: Ben.id, keep_messages: false }).then(() => undefined),
    )
    for (const table of ['poll_votes', 'poll_voters', 'poll_ballots'] as const)
      expect(await readRows(db, table), table).toEqual([])
    await Ann.delete(`/api/posts/${named.post}`)
    expect(await readRows(db, 'polls')).toHaveLength(1)
  })
})
