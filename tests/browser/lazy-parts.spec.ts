import { expect, fetchJson, pictureFile, test, writePost } from './fixture.ts'
import { postForm } from './spec-helpers.ts'

test.use({ fresh: true })

test('without a connection, a dialog whose code is not loaded yet keeps the page and opens later', async ({
  member,
}) => {
  const ann = await member('Ann')
  const { post } = await writePost(ann.page, 'Like this')
  const { page } = await member('Ben')
  await fetchJson(page, 'PUT', `/api/posts/${post.id}/like`)
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
  await writePost(page, 'Shown first')
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

test('the first picture is requested once, after all scripts of the page, and moves nothing', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await postForm(page, '/api/posts', await pictureFile('river'), 'images[]')
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/')
  // Other tests of the worker may have posted pictures.
  const picture = page.getByRole('article').first().locator('.picture')
  await expect(picture).toHaveAttribute('style', /--blur/)
  await expect(picture.locator('img')).toHaveJSProperty('complete', true)
  const path = await picture
    .locator('img')
    .evaluate((image: HTMLImageElement) => new URL(image.currentSrc).pathname)
  expect(requested.filter((one) => one === path)).toHaveLength(1)
  const html = await (await page.request.get('/', { headers: { accept: 'text/html' } })).text()
  const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, file]) => file!)
  const last = Math.max(...scripts.map((script) => requested.indexOf(script)))
  expect(requested.indexOf(path)).toBeGreaterThan(last)
  expect(await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)).toEqual([])
})
