import { describe, expect, test } from 'vitest'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'

describe.each(dialectsInTurn())('errors before the session of a request on %s', (dialect) => {
  test('have the language of the community, unless the reader has chosen one', async () => {
    const { members, visitor } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const choose = (default_language: 'en' | 'ja' | null) =>
      Ann.send('PATCH', '/api/admin/settings', { default_language })
    const [en, ja] = ['There is nothing here.', '見つかりませんでした。']
    /**
     * Returns the error messages of three requests: to an unknown address, to a malformed address, and with a
     * wrong method.
     */
    const readMessages = async (headers: Record<string, string>) => {
      const answers = [
        await visitor().get('/api/nothing', headers),
        await visitor().get('/api/%ff', headers),
        await visitor().send('PUT', '/api/posts', {}, headers),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 405])
      return answers.map(({ body }) => body.message)
    }
    const english = [en, en, 'This address takes GET, HEAD, POST.']
    const japanese = [ja, ja, 'このアドレスで使えるのはGET、HEAD、POSTです。']
    const languages = { none: {}, german: { 'accept-language': 'de' }, ja: { 'accept-language': 'ja' } }
    expect(await readMessages(languages.none)).toEqual(english)
    expect(await readMessages(languages.german)).toEqual(english)
    expect(await readMessages(languages.ja)).toEqual(japanese)
    await choose('ja')
    expect(await readMessages(languages.none)).toEqual(japanese)
    expect(await readMessages(languages.german)).toEqual(japanese)
    // The server answers a request to a malformed address before it reads the cookies, so the language of the
    // cookie has no effect there.
    const mixed = [en, ja, english[2]]
    expect(await readMessages({ ...languages.german, cookie: 'lang=en' })).toEqual(mixed)
    await choose('en')
    // The language of the community has priority over the language of the browser. This is also true for the
    // answer to a malformed address, which the server sends before it reads the session.
    expect(await readMessages(languages.ja)).toEqual(english)
    await choose(null)
    expect(await readMessages(languages.ja)).toEqual(japanese)
  })
})
