import { describe, expect, test } from 'vitest'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, type TestClient } from '#tests/harness.ts'

async function startScene(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Admin', 'Ann', 'Ben', 'Cleo')), stranger: app.visitor() }
}

const post = async (author: TestClient, text: string, more: object = {}): Promise<number> =>
  (await author.post('/api/posts', { text, ...more })).body.post.id

const find = async (who: TestClient, q: string, more = '') => {
  const { status, body } = await who.get(`/api/search?q=${encodeURIComponent(q)}${more}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as {
    kind: string
    id: number
    snippet: string
    marks: number[][]
    title: string
    url: string
  }[]
}
const ids = async (who: TestClient, q: string, more = '') =>
  (await find(who, q, more)).map(({ kind, id }) => `${kind} ${id}`)

describe.each(dialectsInTurn())('search on %s', (dialect) => {
  test('finds parts of Japanese texts, of one character too, in any width', async () => {
    const { Ann, Ben } = await startScene(dialect)
    const school = await post(Ann, '学校で避難訓練があります。明日ｶﾚｰを作ろう')
    const rain = await post(Ben, '雨のち晴れ。ラーメンを食べたい')
    for (const q of ['学校', '校', '避難訓練', '訓練', 'カレー', 'ｶﾚｰ', 'かれー', '。明日', '明日', 'で 学'])
      expect(await ids(Ann, q), q).toEqual([`post ${school}`])
    for (const q of ['雨', 'ラーメン', 'らーめん', '雨 -学校', '"のち晴れ。ラーメン"'])
      expect(await ids(Ann, q), q).toEqual([`post ${rain}`])
    expect(await ids(Ann, 'の')).toEqual([`post ${rain}`])
    expect(await ids(Ann, '学晴')).toEqual([])
    expect(await ids(Ann, 'です。明日')).toEqual([])
    const [hit] = await find(Ann, 'カレー')
    expect(hit!.snippet.slice(...(hit!.marks[0] as [number, number]))).toBe('ｶﾚｰ')
  })

  test('finds words from their beginning, in any order, phrases, and without accents', async () => {
    const { Ann } = await startScene(dialect)
    const cafe = await post(Ann, 'Meeting at the Café, 3:30 pm. C++ 👩‍🚀 ①')
    for (const q of [
      'meet',
      'CAFE meet',
      '"at the cafe"',
      '3:30',
      'c++',
      '👩‍🚀',
      'ｃａｆｅ',
      '1',
      'meeting -tea',
    ])
      expect(await ids(Ann, q), q).toEqual([`post ${cafe}`])
    for (const q of ['eeting', '"meet"', '"the at"', '3:31', 'meeting -cafe', 'c#'])
      expect(await ids(Ann, q), q).toEqual([])
  })

  test('needs a word, and at most 300 characters', async () => {
    const { Ann } = await startScene(dialect)
    for (const q of ['', ' ', '"', '!!!', '-word', 'from:me', 'x'.repeat(301)])
      expect((await Ann.get(`/api/search?q=${encodeURIComponent(q)}`)).status, q).toBe(422)
    expect((await Ann.get(`/api/search?q=x&kind=fish`)).status).toBe(422)
    expect((await Ann.get(`/api/search?q=${encodeURIComponent('x has:fish')}`)).status).toBe(422)
  })

  test('finds messages, people and groups, only of those who are in them', async () => {
    const { Admin, Ann, Ben, Cleo } = await startScene(dialect)
    const group = await createGroup(Admin, '雨の会', Ann, Ben)
    await sendToGroup(Ann, group, '雨が降る')
    console.log(JSON.stringify(await find(Ben, '雨')), await ids(Cleo, '雨'))
    await befriend(Ann, Ben)
    await sendPrivate(Ann, Ben, '雨ですね')
    console.log(JSON.stringify(await find(Ben, '雨')), await ids(Cleo, '雨'))
    console.log(
      JSON.stringify(
        (await Ben.get('/api/search/overview?q=' + encodeURIComponent('雨 from:Ann has:poll'))).body,
      ),
    )
    console.log(
      JSON.stringify((await Ben.get('/api/search/overview?q=' + encodeURIComponent('雨ですか'))).body),
    )
    console.log(JSON.stringify(await find(Ben, 'Ann')), await ids(Cleo, 'be'))
    console.log(JSON.stringify((await Ben.get('/api/search/attachments?has=picture')).body))
  })
})
