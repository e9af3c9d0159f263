import type { BrowserContext, Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test.use({ serviceWorkers: 'allow' })

/** Opens a page, and waits until the service worker controls it. */
async function openWithWorker(page: Page, path: string) {
  await page.goto(path)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

/** Returns the paths of all requests whose responses are in the browser's caches of the site. */
const listCachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat()
    return requests.map(({ url }) => new URL(url).pathname)
  })

const goOffline = (context: BrowserContext) => context.setOffline(true)

test('a page that is opened offline is the offline page, in the language of the member', async ({
  member,
}) => {
  const { page } = await member('Ann', { lang: 'ja' })
  await openWithWorker(page, '/')
  // First in the language of the browser, then in the one that the member has chosen.
  for (const { chosen, title, retry } of [
    { chosen: null, title: 'インターネットにつながっていません', retry: 'もう一度試す' },
    { chosen: 'en', title: 'You are offline.', retry: 'Try again' },
  ]) {
    if (chosen) await page.context().addCookies([{ name: 'lang', value: chosen, url: page.url() }])
    await goOffline(page.context())
    await page.goto('/notifications')
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByRole('heading')).toHaveCount(1)
    await expect(page.getByRole('link', { name: retry })).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 600 })
    await expectNoOverflow(page)
    // Expects that the page loads by itself when the browser is online again.
    await page.context().setOffline(false)
    await expect(page).toHaveURL(/\/notifications$/)
    await expect(page.locator('.top-bar')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(title)
  }
})

test('the browser keeps scripts and styles, but no page and no answer of the API; errors of the server reach it as they are', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await openWithWorker(page, '/')
  await fetchJson(page, 'POST', '/api/posts', { text: 'a secret' })
  for (const path of ['/', '/chats', '/account', '/users', '/notifications']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  }
  expect((await page.goto('/no-such-page'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found.' })).toBeVisible()
  await expect.poll(async () => (await listCachedPaths(page)).length).toBeGreaterThan(50)
  const paths = await listCachedPaths(page)
  const others = paths.filter((path) => !/^\/assets\/[\w-]+\.(js|css)$/.test(path))
  expect(others.sort()).toEqual(['/mark.svg', '/offline.css', '/offline.html', '/offline.js'])
  expect((await page.goto('/media/none.webp'))?.status()).toBe(404)
})
