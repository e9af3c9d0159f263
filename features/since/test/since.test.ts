import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { daysAgo } from '#tests/absent-members.ts'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, type Dialect, databases, type TestClient } from '#tests/harness.ts'

type Member = TestClient & { id: number }

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  const people = await app.members('Ann', 'Ben', 'Cleo')
  /** Their last visit ended so many days ago. */
  const leave = async ({ id }: Member, days: number) => {
    const at = daysAgo(days)
    await transaction(app.db, async (tx) => {
      await tx.deleteFrom('since_marks').where('user_id', '=', id).execute()
      const mark = { user_id: id, done_until: at, left_at: at, visited_at: at }
      await tx.insertInto('since_marks').values(mark).execute()
    })
  }
  const news = async (member: Member) => {
    const { status, body } = await member.get('/api/since')
    expect(status).toBe(200)
    return body as News
  }
  const parts = async (member: Member) => (await news(member)).sections.map(({ part }) => part)
  const titles = async (member: Member, part: string) =>
    (await news(member)).sections
      .find((section) => section.part === part)
      ?.entries.map(({ title, text }) => [title, text]) ?? []
  const publish = async (author: Member, fields: object) =>
    (await author.post('/api/posts', fields)).body.post.id as number
  return { ...app, ...people, leave, news, parts, titles, publish }
}

interface News {
  since: string
  until: string
  sections: {
    part: string
    entries: { key: string; path: string; title: string; text: string | null; count?: number }[]
    more: number
    path: string | null
  }[]
}

for (const dialect of databases) {
  test(`lists what is new, the most important first, each thing once (${dialect})`, async () => {
    const { Ann, Ben, leave, news, parts, publish } = await open(dialect)
    const own = await publish(Ben, { text: 'Mine' })
    await leave(Ben, 10)
    const club = await createGroup(Ann, 'Garden', Ben)
    await sendToGroup(Ann, club, 'Water the beans')
    const asking = await publish(Ann, { text: 'Trip', extras: { acknowledgement: {} } })
    const told = await publish(Ann, { text: 'Closed on Monday', extras: { tell: {} } })
    const post = await publish(Ann, { text: 'For all' })
    const inGroup = await publish(Ann, { text: 'For us', audience: 'group', group_id: club })
    await Ann.post(`/api/posts/${own}/replies`, { text: 'Lovely' })
    await Ann.put(`/api/posts/${own}/like`)

    // The announcement is told by a job.
    const all = ['asked', 'mentions', 'announcements', 'groups', 'rest']
    await eventually(async () => expect(await parts(Ben)).toEqual(all))
    const { sections, since } = await news(Ben)
    expect(since.slice(0, 10)).toBe(daysAgo(10).slice(0, 10))
    const paths = sections.map(({ entries }) => entries.map(({ path }) => path))
    expect(paths[0]).toEqual([`/posts/${asking}`])
    expect(paths[1]).toContainEqual(expect.stringContaining(`/posts/${own}?reply=`))
    expect(paths[2]).toEqual([`/posts/${told}`])
    expect(paths[3]!.toSorted()).toEqual([`/group-chat/${club}`, `/posts/${inGroup}`])
    expect(sections[3]!.entries.find(({ key }) => key === `group ${club}`)).toMatchObject({
      title: 'Garden',
      text: 'Ann: Water the beans',
      count: 2,
    })
    expect(paths[4]).toContain(`/posts/${post}`)
    const keys = sections.flatMap(({ entries }) => entries.map(({ key }) => key))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.filter((key) => key === `post ${asking}`)).toHaveLength(1)
  })

  test(`shows a few of each part and counts the others (${dialect})`, async () => {
    const { Ann, Ben, leave, news, publish } = await open(dialect)
    await leave(Ben, 400)
    for (let at = 1; at <= 9; at++) await publish(Ann, { text: `Post ${at}` })
    const { sections } = await news(Ben)
    const rest = sections.find(({ part }) => part === 'rest')!
    expect(rest.entries).toHaveLength(6)
    expect(rest.entries[0]).toMatchObject({ title: 'Ann', text: 'Post 9' })
    expect(rest).toMatchObject({ more: expect.any(Number), path: '/' })
    expect(rest.more).toBeGreaterThanOrEqual(3)
  })

  test(`all is seen on both devices, and never comes back (${dialect})`, async () => {
    const { Ann, Ben, leave, news, parts, publish, visitor } = await open(dialect)
    await leave(Ben, 10)
    await publish(Ann, { text: 'Old' })
    const tablet = visitor()
    await tablet.get('/sanctum/csrf-cookie')
    await tablet.post('/login', { email: 'ben@engawa.example', password: 'correct horse' })
    const { until } = await news(Ben)
    const seen = await Ben.post('/api/since/done', { until })
    expect(seen).toMatchObject({ status: 200, body: { since: until } })
    expect(await parts(Ben)).toEqual([])
    expect((await tablet.get('/api/since')).body).toMatchObject({ since: until, sections: [] })
    await publish(Ann, { text: 'Young' })
    const back = await tablet.post('/api/since/done', { until: daysAgo(5) })
    expect(back.body).toEqual({ since: until })
    expect((await tablet.get('/api/since')).body.sections).toMatchObject([
      { part: 'rest', entries: [{ text: 'Young' }] },
    ])
  })

  test(`shows nothing of groups left, people blocked, or posts deleted (${dialect})`, async () => {
    const { Ann, Ben, Cleo, leave, parts, publish } = await open(dialect)
    await leave(Ben, 10)
    const club = await createGroup(Ann, 'Garden', Ben)
    await sendToGroup(Ann, club, 'Water the beans')
    await publish(Ann, { text: 'For us', audience: 'group', group_id: club })
    const gone = await publish(Cleo, { text: 'Gone' })
    await Ann.post('/api/posts', { text: 'Hello @ben' })
    expect(await parts(Ben)).toEqual(['mentions', 'groups', 'rest'])
    await Ann.delete(`/api/groups/${club}/members/${Ben.id}`)
    await Cleo.delete(`/api/posts/${gone}`)
    await Ben.post(`/api/users/${Ann.id}/block`)
    await Ben.post(`/api/users/${Cleo.id}/block`)
    expect(await parts(Ben)).toEqual([])
  })

  test(`a visit ends by itself, and what is for the member stays until it is read (${dialect})`, async () => {
    const { Ann, Ben, db, leave, news, titles, publish } = await open(dialect)
    await leave(Ben, 10)
    await publish(Ann, { text: 'Tulips' })
    await publish(Ann, { text: 'Hello @ben' })
    const { since } = await news(Ben)
    // The visit of now becomes one that ended seven hours ago, after the posts.
    const ended = new Date(Date.now() - 7 * 3600_000).toISOString()
    await transaction(db, async (tx) => {
      await tx.updateTable('since_marks').set({ visited_at: ended }).where('user_id', '=', Ben.id).execute()
      for (const table of ['posts', 'notification_events'] as const)
        await tx
          .updateTable(table)
          .set({ created_at: new Date(Date.now() - 8 * 3600_000).toISOString() })
          .execute()
    })
    const next = await news(Ben)
    expect(next.since).toBe(ended)
    expect(next.since > since).toBe(true)
    expect(await titles(Ben, 'mentions')).toEqual([['Ann mentioned you in a post: Hello @ben', null]])
    expect(JSON.stringify(next.sections)).not.toContain('Tulips')
  })

  test(`an event waits for the answer, also after all is seen (${dialect})`, async () => {
    const { Ann, Ben, leave, news, parts } = await open(dialect)
    await leave(Ben, 10)
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const event = { title: 'Lanterns', zone: 'UTC', begins: `${day}T10:00`, ends: `${day}T12:00` }
    const { body } = await Ann.post('/api/posts', { text: 'Come', extras: { event } })
    const [date] = Object.values<{ date: { id: number } }>(
      (await Ben.get(`/api/events?posts=${body.post.id}`)).body,
    )
    const { sections, until } = await news(Ben)
    expect(sections[0]).toMatchObject({ part: 'asked', entries: [{ title: 'Are you coming? Lanterns' }] })
    await Ben.post('/api/since/done', { until })
    expect(await parts(Ben)).toEqual(['asked'])
    await Ben.put(`/api/events/dates/${date!.date.id}/answer`, { answer: 'yes' })
    expect(await parts(Ben)).toEqual([])
  })

  test(`refuses visitors and times to come, and begins with the registration (${dialect})`, async () => {
    const { Ann, Ben, visitor, members, news, publish } = await open(dialect)
    const until = new Date(Date.now() + 60_000).toISOString()
    expect((await Ben.post('/api/since/done', { until })).status).toBe(422)
    for (const wrong of [undefined, '', 'now', 5, '2020-01-01'])
      expect((await Ben.post('/api/since/done', { until: wrong })).status, String(wrong)).toBe(422)
    for (const path of ['/api/since', '/api/since/away']) expect((await visitor().get(path)).status).toBe(401)
    await publish(Ann, { text: 'Before' })
    const { Dan } = await members('Dan')
    expect((await news(Dan)).sections).toEqual([])
  })
}
