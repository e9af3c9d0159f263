import { createPostByApiInBrowserTest, expect, fetchApiJsonWithCookiesOfTestPage, test } from './fixture.ts'

test('without a connection, a dialog whose code is not loaded yet keeps the page and opens later', async ({
  member,
}) => {
  const ann = await member('Ann')
  const { post } = await createPostByApiInBrowserTest(ann.page, 'Like this')
  const { page } = await member('Ben')
  await fetchApiJsonWithCookiesOfTestPage(page, 'PUT', `/api/posts/${post.id}/like`)
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
