import { expect, fetchJson, test, writePost } from './fixture.ts'

test('the mark of a pinned post is there without any code that is loaded later', async ({ admin }) => {
  const { page } = await admin('Ada')
  const { post } = await writePost(page, 'Rules of the house')
  await fetchJson(page, 'PUT', `/api/posts/${post.id}/pin`)
  // Holds back all scripts except those that the HTML of the page names.
  const html = await (await page.request.get('/')).text()
  await page.route(/\/assets\/.*\.js$/, (route) =>
    html.includes(new URL(route.request().url()).pathname) ? route.continue() : undefined,
  )
  await page.goto('/')
  const card = page.locator(`article[data-post="${post.id}"]`)
  await expect(card.locator('.pin-mark')).toHaveText('Pinned')
  await expect(card.locator('.reply-count')).toHaveCount(0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await fetchJson(page, 'DELETE', `/api/posts/${post.id}/pin`)
})
