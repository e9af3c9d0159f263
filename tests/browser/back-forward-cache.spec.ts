import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Browser, CDPSession } from '@playwright/test'
import { follow, openChat, sendMessage } from './chat-helpers.ts'
import { expect, fetchJson, PASSWORD, type PageMember, registerMember, test } from './fixture.ts'
import { chromiumOptions } from './full-chromium.ts'

// Tests of a page that the browser keeps when it is left, and shows again when the person goes back.
// Playwright switches this off by default, and cannot evaluate scripts in such a page: the tests use CDP.

test.use({
  launchOptions: {
    ...chromiumOptions.launchOptions,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
})

type Member = (name: string) => Promise<PageMember>
/** What the window shows, and whether the kept page has painted the message in one of its frames. */
type Seen = { kept: boolean; painted: boolean; text: string }

/** Opens a chat of Ann with Ben, and another page of the site after it, in a browser of her own. */
async function leaveChat(member: Member, browser: Browser, baseURL: string) {
  const ben = await member('Ben')
  const page = await (await browser.newContext({ baseURL, locale: 'en-GB' })).newPage()
  const email = ben.email.replace('member', 'ann')
  const ann = { id: await registerMember(page, 'Ann', email), name: 'Ann', email, page }
  await follow(ann, ben)
  await follow(ben, ann)
  await sendMessage(ben, ann, 'Only for Ann')
  await openChat(ann, ben)
  await expect(page.getByRole('log').getByText('Only for Ann')).toBeVisible()
  await page.evaluate(recordFramesOfKeptPage)
  const protocol = await page.context().newCDPSession(page)
  await page.goto('/edit')
  return { page, protocol }
}

/** Runs in the page. Notes in session storage whether a frame shows the message after the page comes back. */
function recordFramesOfKeptPage() {
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    sessionStorage.setItem('kept', '1')
    const look = () => {
      const log = document.querySelector('[role=log]')!
      if (log.checkVisibility({ visibilityProperty: true })) sessionStorage.setItem('painted', '1')
      requestAnimationFrame(look)
    }
    look()
  })
}

/**
 * Goes back, and returns a function that reads what the window shows: undefined for the browser's error page,
 * and null while another page is being opened.
 */
async function goBack(protocol: CDPSession): Promise<() => Promise<Seen | undefined | null>> {
  const { entries, currentIndex } = await protocol.send('Page.getNavigationHistory')
  await protocol.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]!.id })
  const expression = `({
    kept: 'kept' in sessionStorage,
    painted: 'painted' in sessionStorage,
    text: document.body.innerText,
  })`
  return async () => {
    const evaluated = protocol.send('Runtime.evaluate', { expression, returnByValue: true })
    return evaluated.then(
      ({ result }) => result.value,
      () => null,
    )
  }
}

test('a kept chat is painted neither after the log-out nor for the next member', async ({
  member,
  browser,
  server,
}) => {
  const cho = await member('Cho')
  for (const next of [null, cho]) {
    const { page, protocol } = await leaveChat(member, browser, server.url)
    await fetchJson(page, 'POST', '/logout')
    const logIn = { email: next?.email, password: PASSWORD }
    if (next) await fetchJson(page, 'POST', '/login', logIn)
    const read = await goBack(protocol)
    const text = expect.stringContaining(next ? 'You cannot message this person yet.' : 'Please log in.')
    await expect.poll(read).toMatchObject({ kept: true, painted: false, text })
    expect((await read())!.text).not.toContain('Only for Ann')
  }
})

/**
 * Listens on a port of its own, and passes everything on to the server at `url`. Chromium does not always
 * keep a kept page offline that was told to be.
 */
async function startRelay(url: string) {
  const sockets = new Set<Socket>()
  const relay = createServer((socket) => {
    const there = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const)
      sockets.add(one.on('error', () => {}).on('close', () => other.destroy()))
    socket.pipe(there).pipe(socket)
  })
  const start = async (port = 0) => void (await once(relay.listen(port, '127.0.0.1'), 'listening'))
  await start()
  const { port } = relay.address() as AddressInfo
  const stop = () => {
    relay.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return { url: `http://127.0.0.1:${port}`, stop, start: () => start(port) }
}

test('a kept chat is not painted if the server does not say who is logged in', async ({
  member,
  browser,
  server,
}) => {
  const relay = await startRelay(server.url)
  const { page, protocol } = await leaveChat(member, browser, relay.url)
  relay.stop()
  const read = await goBack(protocol)
  await expect.poll(read).toBeUndefined()
  await relay.start()
  await page.goto('/edit')
  await expect.poll(read).toMatchObject({ kept: true, painted: false })
  relay.stop()
})

test('a kept chat is shown again to the same member', async ({ member, browser, server }) => {
  const { protocol } = await leaveChat(member, browser, server.url)
  const read = await goBack(protocol)
  const text = expect.stringContaining('Only for Ann')
  await expect.poll(read).toMatchObject({ kept: true, painted: true, text })
})
