import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test('an admin asks who has read a post; a member says so, and takes it back; the author sees who has', async ({
  admin,
  member,
}) => {
  const author = await admin('Ann')
  const reader = await member('Bruno')
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
  await expect(dialog.getByRole('link', { name: 'Bruno' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Not yet/ }).click()
  await expect(dialog.getByRole('link', { name: 'Bruno' })).toHaveCount(0)
  await read.click()
  await expect(read).toHaveAttribute('aria-pressed', 'false')
  await expect(dialog.getByRole('link', { name: 'Bruno' })).toBeVisible()
})

test('a page has what waits for a member, what the author has asked, and all of it again', async ({
  admin,
  member,
}) => {
  const author = await admin('Ann')
  const reader = await member('Ben')
  const asked = { text: 'The clean-up is on Sunday', extras: { acknowledgement: {} } }
  const { post } = await fetchJson(author.page, 'POST', '/api/posts', asked)
  const { page } = reader
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/waiting')
  const card = page.getByRole('article').filter({ hasText: 'The clean-up is on Sunday' })
  await expect(card).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await card.getByRole('button', { name: 'I have read this' }).click()
  await expect(card.getByRole('button', { pressed: true })).toBeVisible()
  await page.getByRole('link', { name: 'Asked by you' }).click()
  await expect(page.getByRole('heading', { name: 'You have not asked yet' })).toBeVisible()
  await page.getByRole('link', { name: 'For you' }).click()
  await expect(card).toHaveCount(0)
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await expect(card.getByRole('button', { pressed: true })).toBeVisible()

  await author.page.goto('/waiting?list=asked')
  const own = author.page.getByRole('article').filter({ hasText: 'The clean-up is on Sunday' })
  await expect(own.getByRole('button', { name: /^1 of \d+ have read this/ })).toBeVisible()
  await own.getByRole('link').click()
  await expect(author.page).toHaveURL(`/posts/${post.id}`)
})
