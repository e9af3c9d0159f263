import { expect, expectAccessible, expectNoOverflow, test } from './fixture.ts'

test('an admin asks who has read a post; a member says so, and takes it back; the author sees who has', async ({
  admin,
  member,
}) => {
  const author = await admin('Ann')
  const reader = await member('Ben')
  const size = { width: 390, height: 844 }
  for (const { page } of [author, reader]) await page.setViewportSize(size)
  const { page } = author
  await page.goto('/post')
  await page.getByRole('textbox', { name: 'Text of the post' }).fill('The hall is closed on Sunday')
  await page.getByRole('button', { name: 'Tell everybody' }).click()
  await page.getByRole('button', { name: 'Ask who has read it' }).click()
  await expect(page.getByText('Everybody who may see the post is notified.')).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const own = page.getByRole('article').filter({ hasText: 'The hall is closed on Sunday' })
  const progress = own.getByRole('button', { name: /^0 of \d+ have read this/ })
  await expect(progress).toBeVisible()
  const id = await own.getAttribute('data-post')

  await reader.page.goto(`/posts/${id}`)
  const read = reader.page.getByRole('button', { name: 'I have read this' })
  await expect(read).toHaveAttribute('aria-pressed', 'false')
  await read.click()
  await expect(read).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(reader.page)
  await own.getByRole('button', { name: /^1 of \d+ have read this/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Who has read this' })
  await expect(dialog.getByRole('link', { name: 'Ben' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Not yet/ }).click()
  await expect(dialog.getByRole('link', { name: 'Ben' })).toHaveCount(0)
  await read.click()
  await expect(read).toHaveAttribute('aria-pressed', 'false')
  await expect(dialog.getByRole('link', { name: 'Ben' })).toBeVisible()
})
