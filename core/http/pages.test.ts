import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const html = { accept: 'text/html' }
const bootOf = (page: string) =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(page)![1]!)

describe('pages', () => {
  test('include the responses that they need, as their visitor would get them', async () => {
    const { members, visitor } = await createTestApp()
    const { Ann } = await members('Ann')
    await Ann.post('/api/posts', { text: 'one' })
    const page = await Ann.get('/', html)
    const boot = bootOf(page.body)
    expect(boot).toMatchObject({
      app: { name: 'Engawa' },
      lang: 'en',
      theme: null,
      text: null,
      status: 200,
      errorId: null,
    })
    expect(boot.initialAnswers.map((answer: { url: string }) => answer.url)).toEqual([
      '/api/user',
      '/api/unread',
      '/api/notifications/unread',
      '/api/scheduled/count',
      '/api/posts',
      '/api/first-steps',
      '/api/posts/pinned',
      '/api/reactions',
      '/api/acknowledgements',
      '/api/polls',
      '/api/events',
    ])
    expect(boot.initialAnswers[4].body).toEqual((await Ann.get('/api/posts')).body)
    const seen = bootOf((await visitor().get('/', html)).body)
    expect(seen.initialAnswers.map((answer: { url: string }) => answer.url)).toEqual([
      '/api/posts',
      '/api/posts/pinned',
      '/api/reactions',
      '/api/acknowledgements',
      '/api/polls',
      '/api/events',
    ])
    expect(bootOf((await visitor().get('/followingpostlist', html)).body).initialAnswers).toEqual([])
  })

  test('include the URL of the next page of a list', async () => {
    const { members } = await createTestApp()
    const { Ann } = await members('Ann')
    for (let i = 0; i < 51; i++) await Ann.post('/api/posts', { text: `post ${i}` })
    const [, , , , posts] = bootOf((await Ann.get('/', html)).body).initialAnswers
    expect(posts.body).toHaveLength(50)
    expect((await Ann.get(posts.next)).body).toMatchObject([{ body: 'post 0' }])
  })

  test('name the first picture, which the browser loads when the scripts are there', async () => {
    const { members, visitor } = await createTestApp()
    const { Ann } = await members('Ann')
    const link = async (path: string) =>
      /<link id="picture" as="image"[^>]*>/.exec((await visitor().get(path, html)).body)?.[0]
    await Ann.post('/api/posts', { text: 'no picture' })
    expect(await link('/')).toBeUndefined()
    const shown = await uploadFile(await fourColours(700, 350).jpeg().toBuffer(), 'a.jpg')
    const [image] = (await Ann.post('/api/posts', formData({}, { 'images[]': [shown] }))).body.post.images
    for (const path of ['/', '/postlist', '/posts/2']) {
      expect(await link(path)).toContain(
        `href="${image.path}" imagesrcset="${image.srcset}" imagesizes="(min-width: 45em) 664px, 105vw"`,
      )
    }
    expect(await link('/posts/1')).toBeUndefined()
    expect(await link('/posts/9')).toBeUndefined()
    expect((await visitor().get('/posts/1', html)).status).toBe(200)
    expect((await visitor().get('/posts/9', html)).status).toBe(404)
    for (const path of ['/people/9', '/posts/x']) expect((await Ann.get(path, html)).status).toBe(404)
    // A visitor gets the page with status 200 for any id, so the status does not reveal whether the member
    // exists.
    expect((await visitor().get('/people/9', html)).status).toBe(200)
  })

  test('preload the picture of the newest pinned post, or of the newest post if none is pinned', async () => {
    const { members, visitor } = await createTestApp()
    const { Ann } = await members('Ann')
    const post = async () => {
      const picture = await fourColours(700, 350).jpeg().toBuffer()
      const form = formData({}, { 'images[]': [await uploadFile(picture, 'a.jpg')] })
      return (await Ann.post('/api/posts', form)).body.post
    }
    const preloaded = async () =>
      /<link id="picture" as="image"[^>]*>/.exec((await visitor().get('/', html)).body)?.[0]
    const [pinned, newest] = [await post(), await post()]
    expect(await preloaded()).toContain(`fetchpriority="high" href="${newest.images[0].path}"`)
    await Ann.put(`/api/posts/${pinned.id}/pin`)
    expect(await preloaded()).toContain(pinned.images[0].path)
    const { id } = (await Ann.post('/api/posts', { text: 'no picture' })).body.post
    await Ann.put(`/api/posts/${id}/pin`)
    expect(await preloaded()).toBeUndefined()
  })

  test('tell search engines their description and canonical URL, and whether to index them', async () => {
    const { members, visitor } = await createTestApp({ env: { PUBLIC_URL: 'https://town.example' } })
    const { Ann } = await members('Ann')
    await Ann.post('/api/posts', { text: `"Tea"\n& ${'rice '.repeat(50)}` })
    const head = async (path: string, who = visitor()) => {
      const { body, headers } = await who.get(path, html)
      const [, about] = /<meta name="description" content="(.*?)">/.exec(body)!
      return {
        about,
        canonical: /<link rel="canonical" href="(.*?)">/.exec(body)?.[1],
        robots: headers['x-robots-tag'],
      }
    }
    const motto = 'A place to sit, for people who know each other.'
    expect(await head('/')).toEqual({ about: motto, canonical: 'https://town.example/', robots: undefined })
    expect((await head('/postlist')).canonical).toBe('https://town.example/')
    const post = await head('/posts/1')
    expect(post).toMatchObject({ canonical: 'https://town.example/posts/1', robots: undefined })
    expect(post.about).toMatch(/^&#34;Tea&#34; &#38; rice rice .{120,150}$/)
    for (const path of ['/followingpostlist', '/privatechat/2', '/people/1', '/posts/9', '/post', '/nowhere'])
      expect(await head(path)).toMatchObject({ about: motto, robots: 'noindex' })
    expect(await head('/login')).toMatchObject({ about: motto, robots: undefined })
    for (const path of ['/followingpostlist', '/post'])
      expect((await head(path, Ann)).robots, path).toBeUndefined()
    expect((await head('/posts/9', Ann)).robots).toBe('noindex')
    expect((await visitor().get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /api/\n')
  })

  test('are not indexed with SEARCH_ENGINES=off, and have no canonical URL without PUBLIC_URL', async () => {
    const { visitor } = await createTestApp({ env: { SEARCH_ENGINES: 'off' } })
    const { body, headers } = await visitor().get('/', html)
    expect(headers['x-robots-tag']).toBe('noindex')
    expect(body).not.toContain('canonical')
    // robots.txt must not exclude search engines, because a crawler that may not fetch a page never reads its
    // noindex header.
    expect((await visitor().get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /api/\n')
    expect((await visitor().get('/media/none.webp')).headers['x-robots-tag']).toBe('noindex')
  })

  test('have a template with the placeholders that the server fills', () => {
    const frame = readFileSync(join(import.meta.dirname, '../../web/index.html'), 'utf8')
    for (const blank of [
      '<html lang="en">',
      '<title>',
      '<meta name="description" content="',
      '</head>',
      '<span>Engawa</span>',
      '>Loading...<',
      '</body>',
    ])
      expect(frame).toContain(blank)
  })

  test('escape everything that people write', async () => {
    const { members } = await createTestApp({ env: { APP_NAME: '<b>"Us" & them</b>' } })
    const { Ann } = await members('Ann')
    const text = '</script><script>alert(1)</script><!-- \u2028'
    await Ann.post('/api/posts', { text })
    const { body } = await Ann.get('/', html)
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<b>')
    expect(body).toContain('<span>&#60;b&#62;')
    expect(bootOf(body).initialAnswers[4].body[0].body).toBe(text.trim())
  })

  test('use the language that the reader chose, else the language of the browser', async () => {
    const { visitor } = await createTestApp()
    const someone = visitor({ 'accept-language': 'ja,en;q=0.5' })
    const japanese = await someone.get('/login', html)
    expect(japanese.body).toContain('<html lang="ja">')
    expect(japanese.body).toContain('<title>ログイン – Engawa</title>')
    expect(japanese.body).toContain('<p>読み込み中…</p>')
    someone.jar.set('lang', 'en').set('theme', 'dark')
    expect((await someone.get('/login', html)).body).toContain('<html lang="en" data-theme="dark">')
    someone.jar.set('text', '130')
    expect((await someone.get('/login', html)).body).toContain(
      '<html lang="en" data-theme="dark" data-text="130">',
    )
    someone.jar.set('text', '900')
    someone.jar.set('theme', '"><script>')
    expect((await someone.get('/login', html)).body).toContain('<html lang="en">')
  })

  test('answer unknown addresses with a page for a browser, and with JSON for a script', async () => {
    const { visitor } = await createTestApp()
    const someone = visitor()
    const page = await someone.get('/nowhere', html)
    expect(page).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(bootOf(page.body).status).toBe(404)
    const opened = { ...html, 'sec-fetch-dest': 'document' }
    for (const path of [`/files/${'a'.repeat(40)}`, `/files/${'a'.repeat(40)}/view`, '/media/none.webp']) {
      const shown = await visitor().get(path, opened)
      expect(bootOf(shown.body).status, path).toBe(404)
      expect(shown.headers['content-security-policy']).toContain("default-src 'self'")
      expect((await visitor().get(path, html)).body).toEqual({ message: 'There is nothing here.' })
    }
    expect(await someone.get('/nowhere')).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    })
    expect(await someone.get('/api/nowhere', html)).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    })
    expect(await someone.send('DELETE', '/follow')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
  })

  test('are compressed where the client accepts that', async () => {
    const { members } = await createTestApp()
    const { Ann } = await members('Ann')
    for (let i = 0; i < 10; i++)
      await Ann.post('/api/posts', { text: 'the same again and again '.repeat(10) })
    const page = await Ann.get('/', { ...html, 'accept-encoding': 'br' })
    expect(page.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(page.raw).toString()).toContain('the same again')
    expect((await Ann.get('/', html)).headers['content-encoding']).toBeUndefined()
  })

  test('give every visitor a session and a token at once', async () => {
    const { visitor } = await createTestApp()
    const someone = visitor()
    await someone.get('/', html)
    expect([...someone.jar.keys()].sort()).toEqual(['XSRF-TOKEN', 'engawa_session'])
    expect((await someone.post('/login', { email: 'a@b.example', password: 'x' })).status).toBe(422)
  })

  test('show an id, and nothing else, for an internal error', async () => {
    const { visitor, db } = await createTestApp()
    await transaction(db, (tx) => sql`drop table hidden_posts`.execute(tx))
    const page = await visitor().get('/', html)
    expect(page.status).toBe(500)
    expect(bootOf(page.body)).toMatchObject({ status: 500, errorId: expect.any(String), initialAnswers: [] })
    const call = await visitor().get('/api/posts')
    expect(call).toMatchObject({ status: 500, body: { message: 'Server Error', id: expect.any(String) } })
    expect(JSON.stringify([page.body, call.body])).not.toMatch(/hidden_posts|sqlite|no such table/i)
  })
})
