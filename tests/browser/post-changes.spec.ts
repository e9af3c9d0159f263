import { expect, fetchJson, test, writePost } from './fixture.ts'

test('a member edits a post, and others see the new text and the earlier versions; a bookmark is shown in all windows of the member, and leads back to the post', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  const { post } = await writePost(ann.page, 'The first words')
  await ben.page.goto('/')
  const seen = ben.page.locator(`[data-post="${post.id}"]`)
  await expect(seen).toContainText('The first words')
  const { page } = ann
  await page.goto(`/posts/${post.id}`)
  const open = async () => {
    await page.getByRole('button', { name: /^More about/ }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: 'Edit post' })
  const field = dialog.getByRole('textbox', { name: 'Text of the post' })
  await expect(field).toHaveValue('The first words')
  await field.fill('')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()

  // Expects that the dialog stays open with its text after a failed request. Escape closes the dialog, and
  // its text is kept.
  await page.route(`**/api/posts/${post.id}`, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await field.fill('The second words')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(field).toHaveValue('The second words')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.unroute(`**/api/posts/${post.id}`)
  await open()
  await expect(field).toHaveValue('The second words')
  await field.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('article[data-post] .prose')).toHaveText('The second words')

  await expect(seen).toContainText('The second words')
  await seen.getByRole('button', { name: /^edited/ }).click()
  const versions = ben.page.getByRole('dialog', { name: 'Versions of this post' })
  await expect(versions.getByRole('listitem')).toContainText(['The second words', 'The first words'])
  await ben.page.keyboard.press('Escape')
  await open()
  await field.fill('thrown away')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await open()
  await expect(field).toHaveValue('The second words')

  const other = await ben.page.context().newPage()
  await other.goto('/bookmarks')
  await expect(other.getByRole('heading', { name: 'No bookmarks yet' })).toBeVisible()
  await seen.getByRole('button', { name: /^More about/ }).click()
  await seen.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(seen.getByTitle('In your bookmarks')).toBeVisible()
  const kept = other.locator(`[data-post="${post.id}"]`)
  await expect(kept).toContainText('The second words')
  await ben.page.getByRole('button', { name: 'Profile: Ben' }).click()
  await ben.page.getByRole('link', { name: 'Bookmarks' }).click()
  await expect(ben.page).toHaveURL('/bookmarks')
  await seen.getByRole('button', { name: /^More about/ }).click()
  await seen.getByRole('button', { name: 'Remove bookmark' }).click()
  await expect(seen).toHaveCount(0)
  await expect(kept).toHaveCount(0)
})

test('an admin pins a post above the list, live for everybody', async ({ member, grantAdmin }) => {
  const ann = await member('Ann')
  await grantAdmin(ann.id)
  const { post } = await writePost(ann.page, 'The rules of the house')
  const { post: newer } = await writePost(ann.page, 'Something newer')
  const ben = await member('Ben')
  await ben.page.goto('/')
  const first = ben.page.locator('article[data-post]').first()
  await expect(first).toHaveAttribute('data-post', String(newer.id))
  await ann.page.goto('/')
  const card = ann.page.locator(`[data-post="${post.id}"]`)
  await card.getByRole('button', { name: /^More about/ }).click()
  await card.getByRole('button', { name: 'Pin for everyone' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Pin this post for everyone?' })
  await expect(dialog.getByRole('checkbox', { name: 'Tell everyone' })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Pin' }).click()
  for (const { page } of [ann, ben]) {
    await expect(page.locator('article[data-post]').first()).toHaveAttribute('data-post', String(post.id))
    await expect(page.locator(`[data-post="${post.id}"]`)).toHaveCount(1)
    await expect(page.locator(`[data-post="${post.id}"]`).getByText('Pinned', { exact: true })).toBeVisible()
  }
  await ben.page.reload()
  await expect(first).toHaveAttribute('data-post', String(post.id))
  await first.getByRole('button', { name: /^More about/ }).click()
  await expect(first.getByRole('button', { name: /Unpin/ })).toHaveCount(0)
  await fetchJson(ann.page, 'DELETE', `/api/posts/${post.id}/pin`)
  await expect(first).toHaveAttribute('data-post', String(newer.id))
})
