import { messageBox, messageLog } from './chat-helpers.ts'
import { expect, fetchJson, test, writePost } from './fixture.ts'

test('r answers the focused post, reply or message, and g n opens the notifications', async ({ admin }) => {
  const ann = await admin('Ann')
  const { page } = ann
  const { post } = await writePost(page, 'Who brings the tea?')
  await fetchJson(page, 'POST', `/api/posts/${post.id}/replies`, { text: 'I do' })
  await page.goto('/')
  const card = page.locator(`article[data-post="${post.id}"]`)
  // The page loads its shortcuts after the first render.
  await page.waitForLoadState('networkidle')
  await card.focus()
  await page.keyboard.press('r')
  await expect(page).toHaveURL(`/posts/${post.id}#reply`)
  const field = page.getByLabel('Write a reply')
  await expect(field).toBeFocused()
  await expect(field).toBeInViewport()
  await expect(field).toHaveValue('')
  await page.locator('article[data-reply]').focus()
  await page.keyboard.press('r')
  await expect(page.locator('.answering')).toBeVisible()
  await expect(field).toBeFocused()
  await field.blur()
  await page.keyboard.press('?')
  const help = page.locator('.shortcuts-help')
  await expect(help.locator('dt', { hasText: /^r$/ })).toHaveCount(1)
  await expect(help.getByText('Notifications')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/notifications')

  const { group } = await fetchJson(page, 'POST', '/api/groups', { name: 'Garden' })
  await fetchJson(page, 'POST', '/api/group-messages/send', {
    group_id: group.id,
    message: 'Shall we plant?',
  })
  await page.goto(`/group-chat/${group.id}`)
  const menuButton = messageLog(page).locator('.message > .actions > button').last()
  await menuButton.focus()
  await page.keyboard.press('r')
  await expect(messageBox(page)).toBeFocused()
  await expect(page.locator('.message-box')).toContainText('Shall we plant?')
  await messageBox(page).blur()
  await page.keyboard.press('?')
  await expect(help.getByText('Reply to the focused message')).toBeVisible()
})
