import { expect, test } from 'vitest'
import { dialectsInTurn } from '#tests/harness.ts'
import { connectSubscribed } from '#tests/sockets.ts'
import { asChild, guardianScene } from '../../guardians/test/guardian-scene.ts'
import { answer, askInGroup, askInPost, choice, choose, pollOf, pollScene, sums } from './poll-scene.ts'

test.each(dialectsInTurn())('live events have no hidden results, on %s', async (dialect) => {
  const { Ann, Ben, Cleo, Dan, Eva, group, subscribeAs, url, realtime } = await pollScene(dialect)
  const everybody = await connectSubscribed(url, 'posts')
  const chat = await subscribeAs(Ben, `private-group-chat.${group}`)
  const next = async (client = everybody) => (await client.nextMessage('PollChanged')).data
  const open = await askInPost(Ann)
  expect(await next()).toMatchObject({ subject: 'post', subject_id: open.post, poll: { id: open.id } })
  await choose(Ben, open, 1)
  expect(sums((await next()).poll)).toEqual([0, 1, 0])
  const hidden = await askInPost(Ann, choice({ results: 'voted' }))
  await next()
  await choose(Ben, hidden, 1)
  expect(sums((await next()).poll)).toEqual([null, null, null])
  const inChat = await askInGroup(Ann, group)
  expect(await next(chat)).toMatchObject({ subject: 'message', subject_id: inChat.message })
  const secret = await askInPost(Ann, choice({ ballot: 'secret' }))
  await next()
  for (const who of [Ben, Cleo, Dan]) await choose(who, secret, 0)
  await choose(Eva, secret, 1)
  realtime.broadcast(['posts'], 'Last', {})
  await everybody.nextMessage('Last')
  expect(everybody.received('PollChanged')).toEqual([])
  await Ann.post(`/api/polls/${secret.id}/end`)
  expect(sums((await next()).poll)).toEqual([3, 1, 0])
})

test.each(dialectsInTurn())('guardians answer for their children, on %s', async (dialect) => {
  const { Ada, Kid, Mum, Uma, Ben } = await guardianScene(dialect)
  expect((await asChild(Ada, Kid, ['mum'])).status).toBe(200)
  const poll = await askInPost(Uma, { poll: { kind: 'attendance' } })
  const waiting = async () => (await Mum.get('/api/polls/waiting')).body.map(({ id }: { id: number }) => id)
  await answer(Mum, poll, ['yes'])
  expect(await waiting()).toEqual([poll.id])
  const said = { for: Kid.id, note: 'With a cough' }
  const { body } = await answer(Mum, poll, ['no'], said)
  expect(body.children).toMatchObject([
    { child: { id: Kid.id }, answers: { answers: [{ answer: 'no' }], note: 'With a cough' } },
  ])
  expect((await pollOf(Kid, poll.post))!.mine).toMatchObject({ note: 'With a cough' })
  expect(await waiting()).toEqual([])
  const voters = `/api/polls/${poll.id}/voters?answer=no&option=${poll.options[0]!.id}`
  expect((await Uma.get(voters)).body).toMatchObject([{ user: { id: Kid.id }, by_guardian: true }])
  expect((await answer(Ben, poll, ['no'], said)).status).toBe(404)
  const vote = await askInPost(Uma)
  await choose(Mum, vote, 0)
  expect(await waiting()).toEqual([])
  const forKid = { options: [vote.options[0]!.id], for: Kid.id }
  expect((await Mum.put(`/api/polls/${vote.id}/vote`, forKid)).body.errors).toHaveProperty('for')
  expect((await Mum.send('DELETE', `/api/polls/${poll.id}/vote`, { for: Kid.id })).status).toBe(200)
  expect((await pollOf(Kid, poll.post))!.mine).toBe(null)
})
