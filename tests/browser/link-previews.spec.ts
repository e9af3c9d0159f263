import { fakePreviews } from '#tests/page-answers.ts'
import { expect, expectNoOverflow, test, writePost } from './fixture.ts'

// These tests fake the previews, because their server must not reach other servers. The tests in
// features/link-previews let a server visit pages.

test('an admin switches previews on, and reads what the server then does', async ({ admin }) => {
  const { page } = await admin('Ann')
  await page.goto('/admin/settings#links')
  const setting = page.getByRole('checkbox', { name: 'Show previews of links' })
  await expect(setting).not.toBeChecked()
  await expect(setting).toHaveAccessibleDescription(/Your server visits the links that members write/)
  await setting.check()
  await expect(page.getByText('Settings saved.')).toBeVisible()
  const readSettings = async () => (await (await page.request.get('/api/admin/settings')).json()).settings
  expect(await readSettings()).toMatchObject({ link_previews: true })
  // Switches previews of links off again, because the other tests of this worker share the server.
  await setting.uncheck()
  await expect(page.getByText('Settings saved.')).toBeVisible()
})

test('a preview is a link that opens in a new tab, and fits into a narrow window; the author removes it with the keyboard; a failure is told', async ({
  member,
}) => {
  const { page } = await member('アン')
  // Chooses a post with an odd id, because the faked previews of odd ids belong to the member.
  const create = async () => (await writePost(page, 'See https://town.example/lanterns')).post.id as number
  const first = await create()
  const id = first % 2 ? first : await create()
  await page.goto(`/posts/${id}`)
  await expect(page.locator('.link-preview')).toHaveCount(0)
  await fakePreviews(page)
  const article = page.locator(`[data-post="${id}"]`)
  const findLink = (name: RegExp) => article.locator('.link-preview').getByRole('link', { name })
  await expect(findLink(/^Link preview: town\.example.*The evening of a thousand/)).toBeVisible()
  await page.locator('.footer').getByRole('button', { name: '日本語' }).click()
  const link = findLink(/^リンクのプレビュー.*town\.example.*The evening of a thousand/)
  await expect(link).toHaveAttribute('href', 'https://town.example/lanterns')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
  await expect(link).toHaveAttribute('target', '_blank')
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoOverflow(page)

  const remove = article.getByRole('button', { name: 'プレビューを削除する' })
  await page.route(`**/api/posts/${id}/link-preview`, (route) =>
    route.fulfill({ status: 500, json: { message: 'Error' } }),
  )
  await remove.click()
  await expect(page.getByText('プレビューを削除できませんでした。')).toBeVisible()
  await expect(remove).toBeVisible()
  await page.unroute(`**/api/posts/${id}/link-preview`)
  await remove.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('プレビューを削除しました。')).toBeVisible()
  await expect(article.locator('.link-preview')).toHaveCount(0)
  await expect(article).toBeFocused()
})
