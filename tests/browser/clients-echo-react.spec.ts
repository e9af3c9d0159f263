import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { build } from 'rolldown'
import { startServer } from '#tests/server.ts'
import { expect, fetchJson, registerMember, test } from './fixture.ts'

/**
 * Builds a page that uses `@laravel/echo-react`, and serves it on another origin than the community's.
 * Returns the port of this server, and a function that closes it.
 */
async function servePage() {
  const built = await build({
    input: join(import.meta.dirname, 'clients-echo-react-page.jsx'),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' },
    write: false,
  })
  const script = built.output[0].code.replaceAll('</script', '<\\/script')
  const html = `<!doctype html><meta charset="utf-8"><main></main><script type="module">${script}</script>`
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

async function createMember(browser: Browser, baseURL: string, name: string) {
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  const id = await registerMember(page, name, `${name.toLowerCase()}@engawa.example`)
  return { id, name, page, part: (selector: string) => page.locator(selector) }
}

test('@laravel/echo-react: private and presence channels, client events, and a restart of the server', async ({
  browser,
}) => {
  const site = await servePage()
  const env = { RATE_LIMIT: 'off', ALLOWED_ORIGINS: `http://127.0.0.1:${site.port}` }
  const first = await startServer(env)
  const { port } = new URL(first.url)
  const url = `http://127.0.0.1:${port}`
  const [ann, ben] = [await createMember(browser, url, 'Ann'), await createMember(browser, url, 'Ben')]
  await fetchJson(ann.page, 'POST', `/api/follow/${ben.id}`)
  const send = (input: string) =>
    fetchJson(ann.page, 'POST', '/api/send-private-message', {
      input,
      targetUserId: ben.id,
    })
  await send('before')
  const open = ({ page, name }: typeof ann, pair = `chat.${ann.id}.${ben.id}`) =>
    page.goto(`http://127.0.0.1:${site.port}/?${new URLSearchParams({ server: url, pair, name })}`)

  await open(ann)
  await expect(ann.part('#members')).toHaveText('Ann')
  await open(ben)
  for (const { part } of [ann, ben]) await expect(part('#members')).toHaveText('Ann, Ben')
  await expect(ben.part('#status')).toHaveText('connected')

  await send('one')
  for (const { part } of [ann, ben]) await expect(part('#messages')).toHaveText('one')
  await ben.page.getByRole('button', { name: 'Wave' }).click()
  await expect(ann.part('#wave')).toHaveText('Ben')
  await expect(ben.part('#wave')).toHaveText('')

  await first.stop()
  await expect(ben.part('#status')).not.toHaveText('connected')
  const second = await startServer({ ...env, PORT: port, DATA_DIR: first.folder })
  for (const { part } of [ann, ben]) {
    await expect(part('#status')).toHaveText('connected')
    await expect(part('#members')).toHaveText('Ann, Ben')
  }
  let sent = 0
  for (const { part } of [ann, ben])
    await expect
      .poll(() => send(`again ${++sent}`).then(() => part('#messages').textContent()))
      .toMatch(/^oneagain/)

  await ben.page.close()
  await expect(ann.part('#members')).toHaveText('Ann')
  for (const { page } of [ann, ben]) await page.context().close()
  site.close()
  await second.stop()
})
