import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fetchPage, parseAllowedUrl } from '../fetch-page.ts'
import { findFirstLink } from '../first-link.ts'
import { type FakeWebsites, htmlSite, redirectSite, SITE_ADDRESS, siteHtml, startSites } from './sites.ts'

const html = { 'content-type': 'text/html' }
const visit = ({ network }: FakeWebsites, address: string, signal = new AbortController().signal) =>
  fetchPage(address, { network, language: 'en', signal })

describe('a visit of a page', () => {
  test('reads what the page says about itself', async () => {
    const sites = await startSites()
    sites.answer('site.example/page?a=1', htmlSite('<title>Hello</title>'))
    expect(await visit(sites, 'http://site.example/page?a=1#part')).toEqual({
      ...{ title: 'Hello', description: null, site_name: null },
    })
    expect(sites.connections).toEqual([{ addresses: [SITE_ADDRESS], port: 80 }])
  })

  test('sends no cookies and no referrer, and a fixed user agent', async () => {
    const sites = await startSites()
    sites.answer('site.example/', (response) =>
      response.writeHead(302, { location: '/next', 'set-cookie': 'a=1' }).end(),
    )
    sites.answer('site.example/next', htmlSite('<title>Next</title>'))
    await visit(sites, 'http://site.example/')
    expect(sites.requests).toHaveLength(2)
    for (const { headers } of sites.requests)
      expect(headers).toEqual({
        host: 'site.example',
        'user-agent': expect.stringMatching(/EngawaLinkPreview/),
        accept: 'text/html, application/xhtml+xml',
        'accept-language': 'en',
        'accept-encoding': 'gzip',
        connection: 'close',
      })
  })

  test('connects with https to port 443 of the checked address', async () => {
    const sites = await startSites()
    // The fake web server has no TLS, so the request fails after the connection to port 443.
    await expect(visit(sites, 'https://site.example/')).rejects.toThrow()
    expect(sites.connections).toEqual([{ addresses: [SITE_ADDRESS], port: 443 }])
  })

  test('follows three redirects, also to another host, and no fourth', async () => {
    const sites = await startSites()
    for (const [from, to] of [
      ['a.example/1', '/2'],
      ['a.example/2', 'http://b.example/3'],
      ['b.example/3', '//c.example/4'],
    ] as const)
      sites.answer(from, redirectSite(to, 301))
    sites.answer('c.example/4', htmlSite('<title>End</title>'))
    expect(await visit(sites, 'http://a.example/1')).toMatchObject({ title: 'End' })
    sites.answer('a.example/0', redirectSite('/1', 308))
    await expect(visit(sites, 'http://a.example/0')).rejects.toThrow('too many redirects')
  })

  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://2130706433/',
    'http://inside.example/',
    'http://site.example:8080/',
    'http://a:b@site.example/',
    'ftp://site.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,<title>x</title>',
  ])('is refused at %s, at once and after a redirect', async (address) => {
    const sites = await startSites()
    sites.name('inside.example', ['10.0.0.1', '::1', '169.254.169.254'])
    await expect(visit(sites, address)).rejects.toThrow()
    expect(sites.connections).toEqual([])
    sites.answer('site.example/', redirectSite(address))
    await expect(visit(sites, 'http://site.example/')).rejects.toThrow()
    expect(sites.connections).toHaveLength(1)
  })

  test('asks the name servers once, and connects only to the checked addresses', async () => {
    const sites = await startSites()
    sites.name('rebound.example', ['127.0.0.1', SITE_ADDRESS], ['127.0.0.1'])
    sites.answer('rebound.example/', htmlSite('<title>First</title>'))
    expect(await visit(sites, 'http://rebound.example/')).toMatchObject({ title: 'First' })
    expect(sites.lookups).toEqual(['rebound.example'])
    expect(sites.connections).toEqual([{ addresses: [SITE_ADDRESS], port: 80 }])
  })

  test('asks the name servers again after a redirect, and checks the new answer', async () => {
    const sites = await startSites()
    sites.name('rebound.example', [SITE_ADDRESS], ['127.0.0.1'])
    sites.answer('rebound.example/', redirectSite('/inside'))
    sites.answer('rebound.example/inside', htmlSite('<title>Secret</title>'))
    await expect(visit(sites, 'http://rebound.example/')).rejects.toThrow('no public address')
    expect(sites.connections).toHaveLength(1)
  })

  test('ends when its time is over: without an answer, and with a slow one', async () => {
    const sites = await startSites({ timeout: 200 })
    sites.answer('silent.example/', () => {})
    sites.answer('slow.example/', (response) => {
      response.writeHead(200, html).write('<title>Slow')
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    for (const host of ['silent.example', 'slow.example'])
      await expect(visit(sites, `http://${host}/`)).rejects.toThrow()
    const stuck = { ...sites, network: { ...sites.network, resolve: () => new Promise<never>(() => {}) } }
    await expect(visit(stuck, 'http://stuck.example/')).rejects.toThrow()
  })

  test('ends with the signal of its caller', async () => {
    const sites = await startSites()
    const controller = new AbortController()
    sites.answer('silent.example/', () => controller.abort())
    await expect(visit(sites, 'http://silent.example/', controller.signal)).rejects.toThrow()
  })

  test('stops reading a huge body, and uses its beginning', async () => {
    const sites = await startSites()
    let sent = 0
    const closed = Promise.withResolvers<void>()
    sites.answer('huge.example/', async (response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, html).write('<title>Huge</title>')
      while (!response.destroyed && sent < 1e9) {
        sent += 2 ** 16
        if (!response.write(' '.repeat(2 ** 16)))
          await Promise.race([once(response, 'drain'), closed.promise])
      }
    })
    expect(await visit(sites, 'http://huge.example/')).toMatchObject({ title: 'Huge' })
    await closed.promise
    expect(sent).toBeLessThan(2e7)
  })

  test('unpacks gzip, but not a bomb, and nothing else', async () => {
    const sites = await startSites()
    const answer = (host: string, body: Buffer, encoding: string) =>
      sites.answer(`${host}/`, (response) =>
        response.writeHead(200, { ...html, 'content-encoding': encoding }).end(body),
      )
    const page = Buffer.from(siteHtml('<title>Packed</title>'))
    answer('packed.example', gzipSync(page), 'gzip')
    answer('cut.example', gzipSync(page).subarray(0, -12), 'gzip')
    answer(
      'bomb.example',
      gzipSync(Buffer.concat([Buffer.from('<title>Bomb</title>'), Buffer.alloc(2 ** 26)])),
      'gzip',
    )
    answer('late.example', gzipSync(Buffer.concat([Buffer.alloc(2 ** 20, ' '), page])), 'gzip')
    answer('broken.example', page, 'gzip')
    answer('other.example', page, 'br')
    expect(await visit(sites, 'http://packed.example/')).toMatchObject({ title: 'Packed' })
    expect(await visit(sites, 'http://cut.example/')).toMatchObject({ title: 'Packed' })
    expect(await visit(sites, 'http://bomb.example/')).toMatchObject({ title: 'Bomb' })
    expect(await visit(sites, 'http://late.example/')).toBeNull()
    for (const host of ['broken.example', 'other.example'])
      await expect(visit(sites, `http://${host}/`)).rejects.toThrow()
  })

  test.each(['image/png', 'text/plain', 'application/json', 'text/htmlx', ''])(
    'is refused for the content type %j',
    async (type) => {
      const sites = await startSites()
      sites.answer('site.example/', htmlSite('<title>x</title>', { 'content-type': type }))
      await expect(visit(sites, 'http://site.example/')).rejects.toThrow('no HTML')
    },
  )

  test('is refused for other statuses, and for answers that are no HTTP', async () => {
    const sites = await startSites()
    await expect(visit(sites, 'http://nothing.example/')).rejects.toThrow('Status 404')
    sites.answer('raw.example/', (response) => response.socket!.end('hello\r\n'))
    await expect(visit(sites, 'http://raw.example/')).rejects.toThrow()
    sites.answer('large.example/', htmlSite('<title>x</title>', { a: 'x'.repeat(20_000) }))
    await expect(visit(sites, 'http://large.example/')).rejects.toThrow()
    sites.answer('nowhere.example/', (response) => response.writeHead(302).end())
    await expect(visit(sites, 'http://nowhere.example/')).rejects.toThrow('Status 302')
    sites.answer('other-protocol.example/', (response) =>
      response.socket!.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    )
    await expect(visit(sites, 'http://other-protocol.example/')).rejects.toThrow('no response')
  })
})

test('a link may be visited if it is http or https on the usual port of a full host name', () => {
  for (const address of ['http://site.example:80/', 'https://site.example:443/a', 'https://日本.example/'])
    expect(parseAllowedUrl(address), address).not.toBeNull()
  for (const address of ['http://site.example:443/', `https://site.example/${'x'.repeat(2000)}`, 'x', ''])
    expect(parseAllowedUrl(address), address).toBeNull()
})

test.each([
  ['See https://site.example/a, and http://b.example/', 'https://site.example/a'],
  ['www.site.example/庭', 'https://www.site.example/%E5%BA%AD'],
  ['a@site.example and http://b.example', 'http://b.example/'],
  ['https://site.example/#part', 'https://site.example/#part'],
  ['http://10.0.0.1/ and http://b.example/', null],
  ['https://here.example/posts/1', null],
  ['no link', null],
  ['', null],
])('the first link of %j is %j', (text, url) => {
  expect(findFirstLink(text, 'https://here.example')).toBe(url)
})
