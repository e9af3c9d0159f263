import { describe, expect, test } from 'vitest'
import { befriend, createGroup, eachPage, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { dialectsInTurn, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import type { Attached, Hit, Overview } from '../contract.ts'
import { find, names, overview, post, reply, startScene } from './search-scene.ts'

describe.each(dialectsInTurn())('search on %s', (dialect) => {
  test('finds parts of Japanese texts, of one character too, in any width', async () => {
    const { Ann, Ben } = await startScene(dialect)
    const school = await post(Ann, '学校で避難訓練があります。明日ｶﾚｰを作ろう')
    const rain = await post(Ben, '雨のち晴れ。ラーメンを食べたい')
    for (const q of [
      '学校',
      '校',
      '避難訓練',
      '訓練',
      'カレー',
      'ｶﾚｰ',
      'かれー',
      '。明日',
      '明日',
      'で 学',
      '　学校　訓練',
    ])
      expect(await names(Ann, q), q).toEqual([`post ${school}`])
    for (const q of [
      '雨',
      '雨。',
      '雨？',
      '雨、晴れ',
      'ラーメン',
      'らーめん',
      '雨 －学校',
      '"のち晴れ。ラーメン"',
      '「雨のち」',
      'の',
    ])
      expect(await names(Ann, q), q).toEqual([`post ${rain}`])
    for (const q of ['学晴', 'です。明日', '"あります 明日"', '学校 -訓練'])
      expect(await names(Ann, q), q).toEqual([])
    const [hit] = await find(Ann, 'カレー')
    expect(hit!.snippet.slice(...(hit!.marks[0] as [number, number]))).toBe('ｶﾚｰ')
  })

  test('finds words from their beginning, in any order, phrases, and without accents', async () => {
    const { Ann } = await startScene(dialect)
    const cafe = await post(Ann, 'Meeting at the Café, 3:30 pm. C++ 👩‍🚀 ① straße')
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
      'strasse',
    ])
      expect(await names(Ann, q), q).toEqual([`post ${cafe}`])
    for (const q of ['cafe?', '(meeting)', 'café, meeting', 'meeting.'])
      expect(await names(Ann, q), q).toEqual([`post ${cafe}`])
    for (const q of ['eeting', '"meet"', '"the at"', '3:31', 'meeting -cafe', 'c#', 'pm -"3:30"'])
      expect(await names(Ann, q), q).toEqual([])
  })

  test('shows the word near the beginning of its surroundings, without cutting words', async () => {
    const { Ann } = await startScene(dialect)
    await post(
      Ann,
      `${'The glazed bowls stand in a row. '.repeat(6)}They stand on a shelf just out of the kiln 👩‍👩‍👧 today.`,
    )
    const [hit] = await find(Ann, 'kiln')
    expect(hit!.snippet).toBe('…just out of the kiln 👩‍👩‍👧 today.')
    expect(hit!.snippet.slice(...(hit!.marks[0] as [number, number]))).toBe('kiln')
  })

  test('needs a word, at most 300 characters, and operators that it knows', async () => {
    const { Ann } = await startScene(dialect)
    for (const q of [
      '',
      ' ',
      '"',
      '!!!',
      '-word',
      '-学校',
      'from:me',
      'has:file',
      'x'.repeat(301),
      'x has:fish',
      'x on:soon',
    ])
      expect((await Ann.get(`/api/search?q=${encodeURIComponent(q)}`)).status, q).toBe(422)
    const many = Array.from({ length: 11 }, () => 'has:file').join(' ')
    expect((await Ann.get(`/api/search?q=${encodeURIComponent(`x ${many}`)}`)).status).toBe(422)
    for (const more of ['kind=fish', 'in=fish', 'in=group:x', 'time_zone=Mars'])
      expect((await Ann.get(`/api/search?q=x&${more}`)).status, more).toBe(422)
    expect(await names(Ann, 'x', '&in=&kind=')).toEqual([])
  })

  test('finds messages, replies, files, people and groups, each with its place', async () => {
    const { Admin, Ann, Ben } = await startScene(dialect)
    const group = await createGroup(Admin, 'Rain club', Ann, Ben)
    await befriend(Ann, Ben)
    const first = await post(Ann, 'A rainy day')
    const answer = await reply(Ben, first, 'More rain')
    const inGroup = await sendToGroup(Ann, group, 'Rain in the group')
    const inChat = await sendPrivate(Ann, Ben, 'Rain for you')
    const files = formData(
      { text: 'Look' },
      {
        'images[]': [uploadFile(await fourColours().png().toBuffer(), 'a.png')],
        'files[]': [uploadFile('Hello', 'rain report.txt')],
      },
    )
    files.append('alt[]', 'An umbrella')
    const { post: withFile } = (await Ann.post('/api/posts', files)).body
    await Ben.post('/api/profile', { name: 'Rainer' })
    const hits = await find(Ann, 'rain')
    expect(hits.map(({ kind, id, url, title }) => [kind, id, url, title])).toEqual([
      ['person', Ben.id, `/people/${Ben.id}`, 'Rainer'],
      ['group', group, `/group-chat/${group}`, 'Rain club'],
      ['file', withFile.files[0].id, `/posts/${withFile.id}`, 'rain report.txt'],
      ['message', inChat.id, `/privatechat/${Ben.id}?message=${inChat.id}`, 'Rainer'],
      ['message', inGroup.id, `/group-chat/${group}?message=${inGroup.id}`, 'Rain club'],
      ['reply', answer, `/posts/${first}?reply=${answer}`, ''],
      ['post', first, `/posts/${first}`, ''],
    ])
    for (const { snippet, marks } of hits)
      expect(snippet.slice(...(marks[0] as [number, number]))).toMatch(/^rain$/i)
    expect(await names(Ann, 'umbrella')).toEqual([`post ${withFile.id}`])
    expect(await names(Ann, 'rain', '&kind=reply')).toEqual([`reply ${answer}`])
    expect(await names(Ann, 'rain', `&in=group:${group}`)).toEqual([`message ${inGroup.id}`])
    expect(await names(Ann, 'rain', `&in=person:${Ben.id}`)).toEqual([
      `message ${inChat.id}`,
      `reply ${answer}`,
    ])
    expect((await overview(Ann, 'rain')).sections.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['person', 'group', 'message', 'post', 'reply', 'file'],
    ])
  })

  test('looks for all of many words', async () => {
    const { Ann } = await startScene(dialect)
    const words = Array.from({ length: 26 }, (_, index) => `w${String.fromCharCode(97 + index)}`)
    const id = await post(Ann, words.join(' '))
    expect(await names(Ann, words.join(' '))).toEqual([`post ${id}`])
    expect(await names(Ann, `${words.join(' ')} xx`)).toEqual([])
    expect(await names(Ann, `wa ${words.map((word) => `-q${word}`).join(' ')} -wz`)).toEqual([])
  })

  test('knows operators in both languages', async () => {
    const { Admin, Ann, Ben, db } = await startScene(dialect)
    const group = await createGroup(Admin, '５年B組', Ann, Ben)
    const [link, plain] = [await post(Ann, 'rain https://rain.example'), await post(Ben, 'rain')]
    const message = await sendToGroup(Ben, group, 'rain')
    const poll = await post(Ann, 'rain?', {
      extras: { poll: { kind: 'choice', options: ['Umbrella', 'Boots'] } },
    })
    expect(await names(Ann, 'boots')).toEqual([`post ${poll}`])
    for (const [q, ...found] of [
      ['rain from:me', `post ${poll}`, `post ${link}`],
      ['rain from: ben', `message ${message.id}`, `post ${plain}`],
      ['rain from:me, from:', `post ${poll}`, `post ${link}`],
      ['rain 差出人：ben', `message ${message.id}`, `post ${plain}`],
      ['rain from:@ann has:poll', `post ${poll}`],
      ['rain 添付:リンク', `post ${link}`],
      ['rain in:5年b組', `message ${message.id}`],
      ['rain in:"nowhere"'],
      ['rain from:nobody'],
      ['rain on:today', `message ${message.id}`, `post ${poll}`, `post ${plain}`, `post ${link}`],
      ['rain before:2020'],
      ['rain 以降:昨日 has:poll', `post ${poll}`],
      ['rain after:today'],
    ])
      expect((await names(Ann, q!)).toSorted(), q).toEqual(found.toSorted())
    expect(db).toBeDefined()
  })

  test('shows the newest of a filter without words', async () => {
    const { Ann, Ben } = await startScene(dialect)
    const [link, plain] = [await post(Ann, 'rain https://rain.example'), await post(Ben, 'snow')]
    const found = async (q: string) =>
      (await overview(Ann, q)).sections.flatMap(({ hits }: { hits: Hit[] }) => hits.map(({ id }) => id))
    expect(await found('has:link')).toEqual([link])
    expect(await found('from:Ben')).toEqual([plain])
    expect(await found('on:today')).toEqual([plain, link])
    expect(await found('from:Ben -snow')).toEqual([])
    for (const q of ['-snow', '!', 'from:'])
      expect((await Ann.get(`/api/search/overview?q=${encodeURIComponent(q)}`)).status, q).toBe(422)
  })

  test('goes on where a page ends, over all kinds', async () => {
    const { Admin, Ann, Ben } = await startScene(dialect)
    const group = await createGroup(Admin, 'Club', Ann, Ben)
    const expected: string[] = []
    for (let index = 0; index < 6; index++) {
      const id = await post(Ann, `rain ${index}`)
      const answer = await reply(Ben, id, 'rain')
      const message = await sendToGroup(Ben, group, 'rain')
      expected.unshift(`message ${message.id}`, `reply ${answer}`, `post ${id}`)
    }
    for (const limit of [1, 4, 100]) {
      const pages = await eachPage<Hit>(Ann, `/api/search?q=rain&limit=${limit}`)
      const found = pages.flat()
      expect(found.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual(expected.toSorted())
      const times = found.map(({ created_at }) => created_at)
      expect(times).toEqual(times.toSorted().toReversed())
    }
    const posts = await eachPage<{ kind: string }>(Ann, '/api/search?q=rain&limit=4&kind=post')
    expect(posts.map((page) => page.length)).toEqual([4, 2])
  })

  test('says what would help if nothing is found', async () => {
    const { Ann, Ben } = await startScene(dialect)
    await post(Ann, 'The meeting is on Monday, 運動会のあと引っ越しで')
    await post(Ben, 'Hello')
    expect(await overview(Ann, 'meeting from:Ben -monday')).toMatchObject({ sections: [], filters: [] })
    expect(await overview(Ann, 'meeting from:Ben has:link')).toMatchObject({
      filters: [{ text: 'from:Ben has:link', without: 'meeting' }],
    })
    expect((await overview(Ann, 'meeting xyzzy')).filters).toEqual([{ text: 'xyzzy', without: 'meeting' }])
    expect((await overview(Ann, 'meeting　from:Ben')).filters).toEqual([
      { text: 'from:Ben', without: 'meeting' },
    ])
    expect((await overview(Ann, 'meeting -monday')).filters).toEqual([
      { text: '-monday', without: 'meeting' },
    ])
    for (const [q, suggestion] of [
      ['meating', 'meeting'],
      ['mondya', 'monday'],
      ['運動合', '運動会'],
      ['引越し', '引っ越し'],
      ['xyzzy', null],
    ])
      expect((await overview(Ann, q!)).suggestion, q!).toBe(suggestion)
  })

  test('lists pictures, files and links of a place', async () => {
    const { Admin, Ann, Ben } = await startScene(dialect)
    const group = await createGroup(Admin, 'Club', Ann, Ben)
    const picture = uploadFile(await fourColours().png().toBuffer(), 'a.png')
    const form = formData(
      { text: 'See https://a.example/ and www.b.example', audience: 'group', group_id: String(group) },
      { 'images[]': [picture], 'files[]': [uploadFile('Hello', 'notes.txt')] },
    )
    const { post: first } = (await Ann.post('/api/posts', form)).body
    const { id } = await sendToGroup(Ben, group, 'https://c.example/')
    await post(Ann, 'https://elsewhere.example/')
    const list = async (has: string, place: string) => {
      const { status, body } = await Ben.get(`/api/search/attachments?has=${has}&in=${place}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body as Attached[]
    }
    const [links, files, pictures] = await Promise.all(
      ['link', 'file', 'picture'].map((has) => list(has, `group:${group}`)),
    )
    expect(links!.map((one) => [one.kind, one.id, one.links.map(({ url }) => url)])).toEqual([
      ['message', id, ['https://c.example/']],
      ['post', first.id, ['https://a.example/', 'https://www.b.example']],
    ])
    expect(files!.map((one) => [one.id, one.files.map(({ name }) => name)])).toEqual([
      [first.id, ['notes.txt']],
    ])
    expect(pictures!.map((one) => [one.url, one.images.length])).toEqual([[`/posts/${first.id}`, 1]])
    expect((await list('link', `person:${Ann.id}`)).map((one) => one.links.length)).toEqual([1, 2])
    expect(await list('link', '')).toHaveLength(3)
    const { sections } = await overview(Ben, `has:file in:Club`)
    expect(
      sections.map(({ kind, hits: [hit] }: Overview['sections'][number]) => [kind, hit!.snippet]),
    ).toEqual([
      ['post', 'See https://a.example/ and www.b.example'],
      ['file', 'notes.txt'],
    ])
  })
})
