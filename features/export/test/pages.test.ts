import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { runDeletions } from '#tests/account-deletion.ts'
import { befriend, sendPrivate } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, type TestApp } from '#tests/harness.ts'
import { jsonOfExport, makeExport } from './exports.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Sets the times of all messages in the database, in the order of their ids. */
const setMessageTimes = ({ db }: TestApp, times: readonly string[]) =>
  transaction(db, async (tx) => {
    const rows = await tx.selectFrom('messages').select('id').orderBy('id').execute()
    expect(rows).toHaveLength(times.length)
    for (const [index, { id }] of rows.entries())
      await tx.updateTable('messages').set({ created_at: times[index]! }).where('id', '=', id).execute()
  })

/** Returns the text of each HTML element with this tag and class, without the tags inside. */
const readTexts = (html: string, tag: string, className: string) =>
  [...html.matchAll(new RegExp(`<${tag} class="${className}"[^>]*>(.*?)</${tag}>`, 'g'))].map(([, content]) =>
    content!.replace(/<[^>]+>/g, ''),
  )
const readTitle = (html: string) => /<title>(.*)<\/title>/.exec(html)![1]

describe.each(dialectsInTurn())('the pages of an archive on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('Ann', 'Ben')
    await befriend(people.Ann, people.Ben)
    return { ...app, ...people }
  }

  test('show the day once, and the name once for messages of a person that follow each other', async () => {
    const app = await open()
    const { Ann, Ben } = app
    for (const text of ['one', 'two']) await sendPrivate(Ben, Ann, text)
    await sendPrivate(Ann, Ben, 'three')
    for (const text of ['four', 'five']) await sendPrivate(Ben, Ann, text)
    await setMessageTimes(app, [
      '2026-11-20T13:00:00.000Z',
      '2026-11-20T14:59:00.000Z',
      '2026-11-20T15:00:00.000Z',
      '2026-11-20T16:00:00.000Z',
      '2026-11-21T16:00:00.000Z',
    ])
    const { files } = await makeExport(Ann, { time_zone: 'Asia/Tokyo' })
    const html = files.get(`chats/private-${Ben.id}.html`)!.toString()
    expect(readTexts(html, 'li', 'day')).toEqual([
      'Friday, 20 November 2026',
      'Saturday, 21 November 2026',
      'Sunday, 22 November 2026',
    ])
    expect(readTexts(html, 'p', 'heading')).toEqual(['Ben', 'You', 'Ben', 'Ben'])
    expect(readTexts(html, 'p', 'time')).toEqual(['22:00', '23:59', '00:00', '01:00', '01:00'])
    expect(readTitle(html)).toBe('Ben – Ann on Engawa')
    expect(html).toContain('All times are in the time zone Asia/Tokyo.')
    expect(files.get('index.html')!.toString()).toContain('5 items · 20 Nov 2026 – 22 Nov 2026')
    expect(jsonOfExport(files, `data/chats/private-${Ben.id}.json`)[1].created_at).toBe(
      '2026-11-20T14:59:00.000Z',
    )
  })

  test.each([{}, { time_zone: 'Nowhere/Land' }])(
    'show times in UTC without a known time zone: %j',
    async (input) => {
      const app = await open()
      await sendPrivate(app.Ben, app.Ann, 'one')
      await setMessageTimes(app, ['2026-11-20T23:30:00.000Z'])
      const { files } = await makeExport(app.Ann, input)
      const html = files.get(`chats/private-${app.Ben.id}.html`)!.toString()
      expect(readTexts(html, 'p', 'time')).toEqual(['23:30'])
      expect(html).toContain('All times are in the time zone UTC.')
    },
  )

  test('have the language of the member, and name a former member in it', async () => {
    const app = await open()
    const { Ann, Ben } = app
    await sendPrivate(Ben, Ann, 'goodbye')
    expect((await Ben.send('DELETE', '/api/account', { messages: 'keep' })).status).toBe(200)
    await runDeletions(app)
    const { files } = await makeExport(Ann, { time_zone: 'Asia/Tokyo' }, { 'accept-language': 'ja' })
    const start = files.get('index.html')!.toString()
    expect(start).toContain('<html lang="ja">')
    expect(start).toContain('メールアドレス')
    expect(readTitle(start)).toBe('Engawa：Annさんのデータ')
    const path = [...files.keys()].find((name) => /^chats\/.*html$/.test(name))!
    const chat = files.get(path)!.toString()
    expect(readTexts(chat, 'p', 'heading')).toEqual(['元メンバー'])
    expect(readTitle(chat)).toBe('元メンバー – Engawa：Annさんのデータ')
    expect(readTexts(chat, 'li', 'day')[0]).toMatch(/^\d{4}年\d+月\d+日.曜日$/)
    for (const html of [start, chat]) expect(html).not.toContain('Ben')
  })

  test('lead to each page and month of a long list, and only name what is empty', async () => {
    const { Ann, db } = await open()
    const start = Date.parse('2024-01-01T12:00:00.000Z')
    const posts = Array.from({ length: 1001 }, (_, day) => ({
      user_id: Ann.id,
      body: `Day ${day}`,
      created_at: new Date(start + day * 24 * 3600_000).toISOString(),
    }))
    await transaction(db, (tx) => tx.insertInto('posts').values(posts).execute())
    const { files } = await makeExport(Ann)
    const index = files.get('index.html')!.toString()
    expect(index).toContain('<a href="posts.html">Page 1 (2 Jan 2024 – 27 Sept 2026)</a>')
    expect(index).toContain('<a href="posts-2.html">Page 2 (1 Jan 2024)</a>')
    expect(index).toMatch(/<span class="empty" dir="auto">Cart<\/span><span class="count">0 items</)
    const page = files.get('posts.html')!.toString()
    expect(page).toContain('<a href="#month-2026-09">September 2026</a>')
    expect(page).toMatch(/id="month-2026-09"><p class="time"><time datetime="2026-09-27/)
    const second = files.get('posts-2.html')!.toString()
    expect(second).not.toContain('#month-')
    expect(second.match(/href="posts.html"/g)).toHaveLength(2)
    const { documents } = jsonOfExport(files, 'data/index.json')
    expect(documents.find(({ title }: { title: string }) => title === 'Posts')).toMatchObject({
      from: posts[0]!.created_at,
      to: posts[1000]!.created_at,
      pages: ['posts.html', 'posts-2.html'],
    })
  })
})
