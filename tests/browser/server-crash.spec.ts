import type { Page } from '@playwright/test'
import { startServer } from '#tests/server.ts'
import { expect, fetchJson, PASSWORD, test } from './fixture.ts'

async function member(page: Page, name: string) {
  await page.request.get('/sanctum/csrf-cookie')
  const email = `${name.toLowerCase()}@engawa.example`
  const { user } = await fetchJson(page, 'POST', '/api/register', {
    name,
    email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
  })
  return user.id as number
}

test('after a kill under load, every acknowledged message exists once, in order, in open pages too', async ({
  browser,
}) => {
  const first = await startServer({ RATE_LIMIT: 'off' })
  const contexts = [
    await browser.newContext({ baseURL: first.url }),
    await browser.newContext({ baseURL: first.url }),
  ] as const
  const [ann, ben] = [await contexts[0].newPage(), await contexts[1].newPage()]
  const ids = { ann: await member(ann, 'Ann'), ben: await member(ben, 'Ben') }
  await fetchJson(ann, 'POST', `/api/follow/${ids.ben}`)
  await fetchJson(ann, 'POST', '/api/send-private-message', {
    input: 'message 0',
    targetUserId: ids.ben,
  })
  await ben.goto(`/privatechat/${ids.ann}`)
  await expect(ben.getByRole('log')).toContainText('message 0')

  const acknowledged = [0]
  const lost: number[] = []
  let sent = 0
  let killed: Promise<unknown> | null = null
  const send = async (n: number) =>
    fetchJson(ann, 'POST', '/api/send-private-message', {
      input: `message ${n}`,
      targetUserId: ids.ben,
      client_id: `n${n}`,
    }).then(
      () => acknowledged.push(n),
      () => lost.push(n),
    )
  while (!lost.length && sent < 2000) {
    await Promise.all(Array.from({ length: 5 }, () => send(++sent)))
    if (sent >= 60) killed ??= first.stop('SIGKILL')
  }
  await killed
  expect(lost.length, 'the kill came in the middle').toBeGreaterThan(0)

  const again = await startServer({
    RATE_LIMIT: 'off',
    PORT: new URL(first.url).port,
    DATA_DIR: first.folder,
  })
  // Sends the unanswered messages again with the same client_id, as clients do. The server does not store a
  // message twice that it had stored before the crash.
  for (const n of lost) await send(n)
  await fetchJson(ann, 'POST', '/api/send-private-message', {
    input: 'the end',
    targetUserId: ids.ben,
  })

  await expect(ben.getByRole('log')).toContainText('the end', { timeout: 40_000 })
  const shown = await ben.getByRole('log').locator('.bubble').allTextContents()
  const stored: { id: number; message: string }[] = await (
    await ben.request.get(`/api/messages/${ids.ann}?limit=200`)
  ).json()
  expect(shown).toEqual(stored.slice(-shown.length).map(({ message }) => message))
  const all = stored.map(({ message }) => message)
  expect(new Set(all).size).toBe(all.length)
  for (const n of acknowledged) expect(all).toContain(`message ${n}`)
  expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toSorted((a, b) => a - b))
  for (const context of contexts) await context.close()
  await again.stop()
})
