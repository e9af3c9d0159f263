import { createPostByApiInBrowserTest, expect, fetchApiJsonWithCookiesOfTestPage, test } from './fixture.ts'

test.use({ fresh: true })

test('without a connection, a dialog whose code is not loaded yet keeps the page and opens later', async ({
  member,
}) => {
  const ann = await member('Ann')
  const { post } = await createPostByApiInBrowserTest(ann.page, 'Like this')
  const { page } = await member('Ben')
  await fetchApiJsonWithCookiesOfTestPage(page, 'PUT', `/api/posts/${post.id}/like`)
  // Without this, the service worker could have the code of the dialog before the connection is cut.
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => new Promise(() => {})
  })
  await page.goto(`/posts/${post.id}`)
  const likes = page.getByRole('button', { name: '1 like' })
  await expect(likes).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  const failed = page.waitForEvent('requestfailed', (request) => /\/assets\//.test(request.url()))
  await likes.click()
  await failed
  await expect(page.getByText('Like this')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(page.getByRole('dialog')).toContainText('Ben', { timeout: 45_000 })
})

test('the page loads each style sheet once, and files of later parts only after the posts are shown', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await createPostByApiInBrowserTest(page, 'Shown first')
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('article[data-post]')) return
      observer.disconnect()
      performance.mark('posts')
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Add a reaction' }).first()).toBeAttached()
  const html = await (await page.request.get('/', { headers: { accept: 'text/html' } })).text()
  const styles = [...html.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, file]) => file)
  expect(styles.length).toBeGreaterThan(1)
  expect(new Set(styles).size).toBe(styles.length)
  const early = await page.evaluate((listed) => {
    const [shown] = performance.getEntriesByName('posts')
    return performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => /\.(js|css)$/.test(name) && startTime < shown!.startTime)
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => !listed.includes(path))
  }, html)
  expect(early).toEqual([])
})
