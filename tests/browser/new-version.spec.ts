import type { BrowserContext, Page } from '@playwright/test'
import { serverFolder, startServer } from '#tests/server.ts'
import { findFreePort } from '#tests/services.ts'
import { expect, registerMember, test } from './fixture.ts'

/** Starts a server of its own for a test, because the test replaces the server by the next version. */
async function startReplaceableServer() {
  const env = {
    RATE_LIMIT: 'off',
    PORT: String(await findFreePort()),
    DATA_DIR: await serverFolder(),
  }
  let server = await startServer(env)
  return {
    url: server.url,
    /** Stops the server, and starts the next version of the server at the same address. */
    async update() {
      await server.stop()
      server = await startServer(env, 'tests/serve-next-version.ts')
    },
    stop: () => server.stop(),
  }
}

const banner = (page: Page) => page.locator('.banner')
const reload = (page: Page) => banner(page).getByRole('button', { name: 'Reload' })
const readVersion = (page: Page) =>
  page.evaluate(() => JSON.parse(document.getElementById('boot')!.textContent).version as string)
const waitForWorker = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
/** Opens a page, and waits for its WebSocket connection. */
async function openAndConnect(page: Page, path: string) {
  const [socket] = await Promise.all([page.waitForEvent('websocket'), page.goto(path)])
  await socket.waitForEvent('framereceived')
}
/**
 * Returns the number of scripts and styles of this version that the service worker has not downloaded yet.
 */
const countFilesToDownload = (page: Page) =>
  page.evaluate(async () => {
    const code = await (await fetch('/service-worker.js')).text()
    const cache = await caches.open('files')
    const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
    return (code.match(/\/assets\/[\w-]+\.(js|css)/g) ?? []).filter((path) => !kept.has(path)).length
  })
/** Sets a mark on the window of the page, so that a test sees whether the page was loaded again. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window)

const expectNewVersionAnnounced = (page: Page) =>
  expect(banner(page)).toContainText('A new version is ready.', { timeout: 30_000 })

/** Opens the page of a new post in a new context, logged in, and writes a draft. */
async function openWithDraft(context: BrowserContext) {
  const page = await context.newPage()
  await registerMember(page, 'Ann', 'ann@engawa.example')
  await openAndConnect(page, '/post')
  await page.getByRole('textbox').first().fill('a draft')
  await mark(page)
  return { page, version: await readVersion(page) }
}

/** Expects that a window still shows the old version, clicks Reload, and expects the draft in the new version. */
async function expectReloadOnlyOnClick({ page, version }: Awaited<ReturnType<typeof openWithDraft>>) {
  expect(await isMarked(page)).toBe(true)
  expect(await readVersion(page)).toBe(version)
  await reload(page).click()
  await expect(page.getByRole('textbox').first()).toHaveValue('a draft')
  await expect(banner(page)).toHaveCount(0)
  expect(await isMarked(page)).toBe(false)
  expect(await readVersion(page)).not.toBe(version)
}

test('open windows announce a new version, keep the draft, reload only on the click, and say that scripts are gone', async ({
  browser,
}) => {
  const server = await startReplaceableServer()
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  // Makes the browser say that it saves data. Such a browser loads the code of another page only when the
  // page is opened.
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  const writing = await openWithDraft(context)
  const other = await context.newPage()
  await openAndConnect(other, '/')

  await server.update()
  await expectNewVersionAnnounced(writing.page)
  await expectNewVersionAnnounced(other)
  await expectReloadOnlyOnClick(writing)

  await banner(other).getByRole('button', { name: 'Close' }).click()
  await expect(banner(other)).toHaveCount(0)
  await other.getByRole('link', { name: 'Notifications' }).click()
  const message = other.getByRole('main')
  await expect(message.getByRole('heading', { name: 'A new version is ready.' })).toBeVisible()
  await message.getByRole('button', { name: 'Reload' }).click()
  await expect(other.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  await server.stop()
})

test('with a service worker, a window loads the code of its old version until the click on Reload', async ({
  browser,
}) => {
  const server = await startReplaceableServer()
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'allow' })
  const writing = await openWithDraft(context)
  const { page } = writing
  await waitForWorker(page)
  await expect.poll(() => countFilesToDownload(page), { timeout: 60_000 }).toBe(0)

  await server.update()
  await expectNewVersionAnnounced(page)
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).waiting !== null)
  // Opens the dialog of keyboard shortcuts, whose code the page loads only now.
  await page.getByRole('textbox').first().blur()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Keyboard shortcuts')
  await page.keyboard.press('Escape')
  await expectReloadOnlyOnClick(writing)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull()
  await server.stop()
})
